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

// Likes keeps likes and the counters of the posts they are of.
type Likes struct{ db *keyspec.DB }

// maxLikesRemoved is how many likes a transaction can remove beside looking at their
// post.
const maxLikesRemoved = 99

// Add stores the like of a step with its post's counter, and e. It fails with Conflict when
// the post is not one that can be liked any more, when its owner and the liker block one
// another by now, when the liker likes it already or has another profile, and as a follower
// also when they no longer follow the owner.
//
// Blocks and the follow are looked at because their change removes likes given before,
// and has to find this one. Settings of the two users are not: a change of those leaves
// likes as they are, so this like can as well have come before it.
func (s *Likes) Add(ctx context.Context, step social.LikeStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	l, item := step.Like, likeItemOf(step.Like)
	likes.Create(tx, item)
	likeCounts.Moved(tx, nil, &item)
	posts.Check(tx, item.post()).
		If("postedByUserId = ? AND postStatus = ?", l.PostedByUserID, social.PostCompleted).
		If(postOf, item.LikedAt).
		If("attribute_not_exists(likesDisabled) OR likesDisabled = ?", false)
	// What is left of a removed user is cleared away once: nothing may be added after that.
	profiles.Check(tx, profileKey(l.LikedByUserID)).If(hadProfile, item.LikedAt)
	if liker, owner := l.LikedByUserID, l.PostedByUserID; liker != owner {
		checkNoBlock(tx, liker, owner, step.Since)
		if step.AsFollower {
			follows.Check(tx, followKey(liker, owner)).If("followStatus = ? AND followedAt >= ?", social.Following, keyspec.StampOf(step.Since))
		}
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Remove removes a like with its post's counter, and stores e. It fails with Conflict when it is gone
// or another, and when its post is gone, also if a newer one has its id: what is left of
// that goes by RemoveLeftovers.
func (s *Likes) Remove(ctx context.Context, l social.Like, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := likeItemOf(l)
	likes.Delete(tx, likes.KeyOf(&item)).If("likeStatus = ? AND likedAt = ?", l.Status, item.LikedAt)
	likeCounts.Moved(tx, &item, nil)
	posts.Check(tx, item.post()).If(postOf, item.LikedAt)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// RemoveLeftovers removes likes of a post that is gone, uncounted. It leaves those of a
// newer post with the same id.
func (s *Likes) RemoveLeftovers(ctx context.Context, id social.PostID, of []social.Like) error {
	return leftovers[social.Like]{
		db:   s.db,
		made: func(l social.Like) time.Time { return l.LikedAt },
		remove: func(tx *keyspec.Tx, l social.Like) {
			likes.Delete(tx, likes.Key(string(l.PostID), string(l.LikedByUserID)))
		},
	}.of(ctx, id, of, maxLikesRemoved)
}

// OfPost returns all likes of a post as they are at this moment, by the table's own key.
func (s *Likes) OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(keyspec.Primary, string(id)), q, false, (*likeItem).like)
}

// ByPost returns the likes of a post in one status, first like first, by A2.
func (s *Likes) ByPost(ctx context.Context, id social.PostID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A2, string(id), string(status)), q, false, (*likeItem).like)
}

// ByLiker returns the likes that a user gave in one status, latest like first, by A1.
func (s *Likes) ByLiker(ctx context.Context, liker social.UserID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A1, string(liker), string(status)), q, true, (*likeItem).like)
}

// OfLiker returns all likes that a user gave, by A1.
func (s *Likes) OfLiker(ctx context.Context, liker social.UserID, q page.Query) (page.Page[social.Like], error) {
	return stored.List(ctx, s.db, likes.Begins(A1, string(liker)), q, false, (*likeItem).like)
}

// Between returns the likes of one user on posts of another: their keys by K2, then
// the rows that are still there.
func (s *Likes) Between(ctx context.Context, liker, owner social.UserID, q page.Query) (page.Page[social.Like], error) {
	keys, err := stored.List(ctx, s.db, likes.Begins(K2, string(owner), string(liker)), q, false, likes.KeyOf)
	if err != nil {
		return page.Page[social.Like]{}, err
	}
	b := s.db.NewBatch()
	rows := likes.Fetch(b, keys.Items...)
	if err := b.Run(ctx); err != nil {
		return page.Page[social.Like]{}, err
	}
	found := page.Page[social.Like]{Next: keys.Next}
	for i := range rows.Len() {
		if row := rows.At(i); row != nil {
			found.Items = append(found.Items, row.like())
		}
	}
	return found, nil
}

func (i *likeItem) like() social.Like {
	return social.Like{
		PostID:         i.PostID,
		LikedByUserID:  i.LikedByUserID,
		PostedByUserID: i.PostedByUserID,
		Status:         i.LikeStatus,
		LikedAt:        i.LikedAt.Time(),
	}
}

func likeItemOf(l social.Like) likeItem {
	return likeItem{
		PostID:         l.PostID,
		LikedByUserID:  l.LikedByUserID,
		PostedByUserID: l.PostedByUserID,
		LikeStatus:     l.Status,
		LikedAt:        keyspec.StampOf(l.LikedAt),
	}
}
