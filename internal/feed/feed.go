// Package feed keeps what stands in whose feed: completed posts, in the feeds of their
// owners and of everybody who follows these.
//
// Its receivers bring feeds in line with the present posts and follows whatever the
// event says, so they may be repeated and come late. A place in a feed is no
// permission: who reads one passes its ids through the post area.
package feed

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// Store keeps feeds.
type Store interface {
	// Page returns the posts in a user's feed, newest first.
	Page(ctx context.Context, user stoa.UserID, q page.Query) (page.Page[stoa.PostID], error)
	// OfPost returns the places of a post in all feeds.
	OfPost(ctx context.Context, post stoa.PostID, q page.Query) (page.Page[stoa.FeedItem], error)
	// Between returns the places of one user's posts in another's feed.
	Between(ctx context.Context, user, owner stoa.UserID, q page.Query) (page.Page[stoa.FeedItem], error)
	// Put and Remove may be given any number of items, each place once. They are no
	// transaction: repeat them when they fail.
	Put(ctx context.Context, items []stoa.FeedItem) error
	Remove(ctx context.Context, items []stoa.FeedItem) error
}

// Posts knows posts.
type Posts interface {
	Facts(ctx context.Context, viewer stoa.UserID, ids []stoa.PostID, d stoa.Detail) (map[stoa.PostID]stoa.PostFacts, error)
	ByUser(ctx context.Context, owner stoa.UserID, status stoa.PostStatus, q page.Query) (page.Page[*stoa.Post], error)
}

// Follows knows who follows whom.
type Follows interface {
	// Pair returns the follow between two users; one without a record is NotFollowing.
	Pair(ctx context.Context, follower, followed stoa.UserID) (stoa.Follow, error)
	Followers(ctx context.Context, followed stoa.UserID, status stoa.FollowStatus, q page.Query) (page.Page[stoa.Follow], error)
}

// Service is the feed area. Its fields are set once.
type Service struct {
	Store   Store
	Posts   Posts
	Follows Follows
}

// Page returns the posts in a user's feed, newest first; nil for anybody else's.
func (s *Service) Page(ctx context.Context, of *stoa.SeenUser, args page.Args) (*page.Page[stoa.PostID], error) {
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

// pages calls each with all pages of a list.
func pages[T any](read func(q page.Query) (page.Page[T], error), each func(items []T) error) error {
	q := page.Query{First: page.Max}
	for {
		p, err := read(q)
		if err != nil {
			return err
		}
		if err := each(p.Items); err != nil {
			return err
		}
		if p.Next == "" {
			return nil
		}
		q.After = p.Next
	}
}
