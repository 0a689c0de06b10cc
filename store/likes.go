package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Likes stores likes and the counters of their posts.
type Likes struct{ db *keyspec.DB }

// maxLikesRemoved is the maximum number of likes that a transaction can remove in addition
// to checking their post.
const maxLikesRemoved = 99

// Add stores a like with its post's counter, and e. It fails with Conflict if the post can
// no longer be liked, either of its owner and the liker now blocks the other, the liker
// already likes it or has another profile, the owner's card has changed, or, for a like given as a follower, they no
// longer follow the owner.
//
// Blocks and follows are checked because changing them removes existing likes, and must not
// miss this one. The liker's profile tells whether there are new blocks. Settings of the two users are not: changing them leaves existing likes
// untouched, so this like may as well have been given before.
func (s *Likes) Add(ctx context.Context, step social.LikeStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	takeLike(tx, step)
	likedNow(tx, step.Like.PostedByUserID, step.Like.PostID, step.Like.LikedAt)
	if step.Card.After != nil {
		changeCard(tx, step.Card)
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// AddAll stores likes of one post by several users as Add does, in one transaction with the
// change of the owner's card. It returns the error of each. Those that fail with Conflict are
// left out, unless all do because the post or the card has changed.
func (s *Likes) AddAll(ctx context.Context, steps []social.LikeStep, card social.CardChange) []error {
	return addTogether(len(steps), func(left []int) (of [][]keyspec.Action, err error) {
		tx := s.db.NewTx()
		first := steps[left[0]].Like
		earliest := first.LikedAt
		for _, i := range left {
			of = append(of, takeLike(tx, steps[i]))
			if at := steps[i].Like.LikedAt; at.Before(earliest) {
				earliest = at
			}
		}
		likedNow(tx, first.PostedByUserID, first.PostID, earliest)
		if card.After != nil {
			changeCard(tx, card)
		}
		return of, tx.Run(ctx)
	})
}

// takeLike adds a like to a transaction, with the conditions that concern the liker. It returns
// the actions of these.
func takeLike(tx *keyspec.Tx, step social.LikeStep) []keyspec.Action {
	l := step.Like
	created := likes.Create(tx, l)
	likeCounts.Moved(tx, nil, &l)
	// Leftovers of a removed user are cleaned up only once, so nothing may be added
	// afterwards.
	by := profiles.Check(tx, profileKey(l.LikedByUserID)).If(hadProfile, l.LikedAt)
	of := []keyspec.Action{created, by}
	if liker, owner := l.LikedByUserID, l.PostedByUserID; liker != owner {
		asCounted(by, "blocksVersion", step.Blocks)
		if step.AsFollower {
			of = append(of, follows.Check(tx, followKey(liker, owner)).If("followStatus = ? AND followedAt >= ?", social.Following, step.Since))
		}
	}
	return of
}

// likedNow adds the conditions that a post can be liked at a time.
func likedNow(tx *keyspec.Tx, owner social.UserID, id social.PostID, at time.Time) {
	posts.Check(tx, postKey(id)).
		If("postedByUserId = ? AND postStatus = ?", owner, social.PostCompleted).
		If(postOf, at).
		If("attribute_not_exists(likesDisabled) OR likesDisabled = ?", false)
}

// Remove removes a like with its post's counter, and stores e. It fails with Conflict if
// the like no longer exists or has been replaced, or if its post no longer exists, even if
// the id has been reused; RemoveLeftovers removes such likes.
func (s *Likes) Remove(ctx context.Context, l social.Like, e ...outbox.Record) error {
	tx := s.db.NewTx()
	likes.Delete(tx, likes.KeyOf(&l)).If("likeStatus = ? AND likedAt = ?", l.Status, l.LikedAt)
	likeCounts.Moved(tx, &l, nil)
	posts.Check(tx, likedPost(&l)).If(postOf, l.LikedAt)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// RemoveLeftovers removes likes of a post that no longer exists, without updating counters.
// It keeps those of a newer post with the same id.
func (s *Likes) RemoveLeftovers(ctx context.Context, id social.PostID, of []social.Like) error {
	return leftovers[social.Like]{
		db:   s.db,
		made: func(l social.Like) time.Time { return l.LikedAt },
		remove: func(tx *keyspec.Tx, l social.Like) {
			likes.Delete(tx, likes.KeyOf(&l))
		},
	}.of(ctx, id, of, maxLikesRemoved)
}

// OfPost returns all likes of a post, with a consistent read of the primary key.
func (s *Likes) OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(keyspec.Primary, string(id)), q, false, stored.Value)
}

// ByPost returns the likes of a post in one status, oldest first, from A2.
func (s *Likes) ByPost(ctx context.Context, id social.PostID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A2, string(id), string(status)), q, false, stored.Value)
}

// ByLiker returns the likes given by a user in one status, newest first, from A1.
func (s *Likes) ByLiker(ctx context.Context, liker social.UserID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A1, string(liker), string(status)), q, true, stored.Value)
}

// OfLiker returns all likes given by a user, from A1.
func (s *Likes) OfLiker(ctx context.Context, liker social.UserID, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A1, string(liker)), q, false, stored.Value)
}

// OfOwner returns the likes of one user on posts of another. It reads their keys from K2,
// then the rows that still exist.
func (s *Likes) OfOwner(ctx context.Context, liker, owner social.UserID, q page.Query) (page.Page[social.Like], error) {
	return stored.ListKeys(ctx, s.db, likes, likes.Begins(K2, string(owner), string(liker)), q, stored.Value)
}
