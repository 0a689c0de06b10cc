// Package feed manages feeds. Completed posts are in the feeds of their owners and of their
// owners' followers.
//
// Receivers bring feeds in line with the present posts and follows, whatever the event
// says, so events may be repeated or late. An entry in a feed is no permission: readers
// must pass its ids through the post area.
package feed

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Store stores feeds.
type Store interface {
	// Page returns the posts in a user's feed, newest first.
	Page(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.PostID], error)
	// OfPost returns the entries of a post in all feeds.
	OfPost(ctx context.Context, post social.PostID, q page.Query) (page.Page[social.FeedItem], error)
	// OfOwner returns the entries of one user's posts in another's feed.
	OfOwner(ctx context.Context, user, owner social.UserID, q page.Query) (page.Page[social.FeedItem], error)
	// Put and Remove accept any number of distinct items. They are not transactions: repeat
	// them if they fail.
	Put(ctx context.Context, items []social.FeedItem) error
	Remove(ctx context.Context, items []social.FeedItem) error
	// Valid reports for each item, by index, whether it should be in the feed according
	// to the present posts and follows.
	Valid(ctx context.Context, items []social.FeedItem) ([]bool, error)
}

// Posts reads posts.
type Posts interface {
	social.PostReader
	social.PostLister
}

// Service implements the feed area. Its fields are set once.
type Service struct {
	Store   Store
	Posts   Posts
	Follows social.FollowReader
}

// Page returns the posts in a user's feed, newest first, or nil to other viewers.
func (s *Service) Page(ctx context.Context, of *social.SeenUser, args page.Args) (*page.Page[social.PostID], error) {
	q, err := args.Query()
	if err != nil {
		return nil, err
	}
	if !of.IsSelf() {
		return nil, nil
	}
	p, err := s.Store.Page(ctx, of.UserID(), q)
	if err != nil {
		return nil, err
	}
	return &p, nil
}
