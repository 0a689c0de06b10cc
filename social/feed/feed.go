// Package feed keeps what stands in whose feed: completed posts, in the feeds of their
// owners and of everybody who follows these.
//
// Its receivers bring feeds in line with the present posts and follows whatever the
// event says, so they may be repeated and come late. A place in a feed is no
// permission: who reads one passes its ids through the post area.
package feed

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Store keeps feeds.
type Store interface {
	// Page returns the posts in a user's feed, newest first.
	Page(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.PostID], error)
	// OfPost returns the places of a post in all feeds.
	OfPost(ctx context.Context, post social.PostID, q page.Query) (page.Page[social.FeedItem], error)
	// Between returns the places of one user's posts in another's feed.
	Between(ctx context.Context, user, owner social.UserID, q page.Query) (page.Page[social.FeedItem], error)
	// Put and Remove may be given any number of items, each place once. They are no
	// transaction: repeat them when they fail.
	Put(ctx context.Context, items []social.FeedItem) error
	Remove(ctx context.Context, items []social.FeedItem) error
	// Standing returns which of some places, by their index, are right by the present
	// posts and follows.
	Standing(ctx context.Context, items []social.FeedItem) ([]bool, error)
}

// Posts knows posts.
type Posts interface {
	social.PostReader
	ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error)
}

// Follows knows who follows whom.
type Follows interface {
	// Pair returns the follow between two users; one without a record is NotFollowing.
	Pair(ctx context.Context, follower, followed social.UserID) (social.Follow, error)
	Followers(ctx context.Context, followed social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
}

// Service is the feed area. Its fields are set once.
type Service struct {
	Store   Store
	Posts   Posts
	Follows Follows
}

// Page returns the posts in a user's feed, newest first; nil for anybody else's.
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
