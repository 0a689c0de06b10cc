package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Stories stores the first story that each follower is shown of each user.
type Stories struct{ db *keyspec.DB }

// OfUser returns the completed posts of a user that expire by a time, soonest first, from
// A1.
func (s *Stories) OfUser(ctx context.Context, owner social.UserID, until time.Time, q page.Query) (page.Page[social.PostID], error) {
	stories := posts.Begins(A1, string(owner), string(social.PostCompleted)).To(stamp.MicroOf(until))
	return stored.List(ctx, s.db, stories, q, false, idOfPost)
}

// Next returns up to most completed posts of a user that expire first, from A1. The index
// may lag, so the posts must be checked.
func (s *Stories) Next(ctx context.Context, owner social.UserID, most int) ([]social.PostID, error) {
	next, err := stored.List(ctx, s.db, posts.Begins(A1, string(owner), string(social.PostCompleted)), page.Query{First: most}, false, idOfPost)
	return next.Items, err
}

// Followed returns the users whom a user follows and whose first story expires before a
// time, soonest first, from A2.
func (s *Stories) Followed(ctx context.Context, follower social.UserID, before time.Time, q page.Query) (page.Page[social.UserID], error) {
	return stored.List(
		ctx,
		s.db,
		firstStories.Begins(A2, string(follower)).To(stamp.MicroOf(before.Add(-time.Microsecond))),
		q,
		false,
		func(f *social.FirstStory) social.UserID { return f.FollowedUserID },
	)
}

// First returns the first stories of a user stored for others, nil for those without, and
// whether each of them follows the user, both by their index.
func (s *Stories) First(
	ctx context.Context, followed social.UserID, others []social.UserID,
) (stories []*social.FirstStory, follow []bool, err error) {
	b := s.db.NewBatch()
	found := firstStories.FetchEach(b, len(others), func(i int) keyspec.Key { return firstStoryKey(others[i], followed) })
	ties := follows.FetchEach(b, len(others), func(i int) keyspec.Key { return followKey(others[i], followed) })
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	stories, follow = make([]*social.FirstStory, len(others)), make([]bool, len(others))
	for i := range others {
		tie := ties.At(i)
		stories[i], follow[i] = found.At(i), tie != nil && tie.Status == social.Following
	}
	return stories, follow, nil
}

// Put stores first stories, removes those without a post, and stores e, all or none. A
// transaction has room for social.MaxFirstStories.
func (s *Stories) Put(ctx context.Context, stories []social.FirstStory, e ...outbox.Record) error {
	tx := s.db.NewTx()
	for _, f := range stories {
		if f.PostID == "" {
			firstStories.Delete(tx, firstStoryKey(f.FollowerUserID, f.FollowedUserID))
			continue
		}
		firstStories.Put(tx, f)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}
