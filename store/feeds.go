package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Feeds stores the entries of users' feeds.
type Feeds struct{ db *keyspec.DB }

// OfPost returns the entries of a post in all feeds, from the primary key.
func (s *Feeds) OfPost(ctx context.Context, post social.PostID, q page.Query) (page.Page[social.FeedItem], error) {
	return stored.List(ctx, s.db, feedRows.Begins(keyspec.Primary, string(post)), q, false, stored.Value)
}

// OfOwner returns the entries of one user's posts in another's feed, from A2 of the feed
// table.
func (s *Feeds) OfOwner(ctx context.Context, user, owner social.UserID, q page.Query) (page.Page[social.FeedItem], error) {
	return stored.List(ctx, s.db, feedRows.Begins(FeedA2, string(user), string(owner)), q, false, stored.Value)
}

// Put stores entries. It is not transactional, but idempotent: repeat it if it fails.
func (s *Feeds) Put(ctx context.Context, items []social.FeedItem) error {
	b := s.db.NewBulk()
	for _, it := range items {
		feedRows.PutIn(b, it)
	}
	return b.Run(ctx)
}

// Remove removes entries and ignores those that do not exist. It is not transactional, but
// idempotent: repeat it if it fails.
func (s *Feeds) Remove(ctx context.Context, items []social.FeedItem) error {
	b := s.db.NewBulk()
	for _, it := range items {
		feedRows.DeleteIn(b, feedRows.KeyOf(&it))
	}
	return b.Run(ctx)
}

// Valid reports for each entry whether it is valid: the post exists, is completed and by
// the given author, and the feed belongs to the author or one of their followers. It reads
// one key per post and per follow, in one batch.
func (s *Feeds) Valid(ctx context.Context, items []social.FeedItem) ([]bool, error) {
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(items), func(i int) keyspec.Key { return postKey(items[i].PostID) })
	ties := follows.FetchEach(b, len(items), func(i int) keyspec.Key { return followKey(items[i].FeedUserID, items[i].PostedByUserID) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	standing := make([]bool, len(items))
	for i, it := range items {
		post, tie := found.At(i), ties.At(i)
		follows := tie != nil && isFollowing(tie)
		standing[i] = post != nil && isCompleted(post) && post.PostedByUserID == it.PostedByUserID &&
			(follows || it.FeedUserID == it.PostedByUserID)
	}
	return standing, nil
}
