// Package feed manages feeds. Completed posts are in the feeds of their owners and of their
// owners' followers. They are copied there, except for those of large accounts, which are read
// with each feed; see social.Delivery.
//
// Receivers bring feeds in line with the present posts and follows, whatever the event
// says, so events may be repeated or late. An entry in a feed is no permission: readers
// must pass its ids through the post area.
package feed

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores feeds.
type Store interface {
	LargeStore
	// Entries returns what was copied into a user's feed, newest first.
	Entries(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.FeedItem], error)
	// Token returns the token of the page of a feed after an entry, which need not be stored,
	// and Place the entry that a token follows, with its post and time.
	Token(entry social.FeedItem) (string, error)
	Place(user social.UserID, token string) (social.FeedItem, error)
	// Post returns a post, and the profile of a user who may have posted it; nil for what does
	// not exist.
	Post(ctx context.Context, id social.PostID, owner social.UserID) (*social.Post, *social.User, error)
	// Follow returns a follow, the large follow beside it, and the profile of the followed user;
	// nil for what does not exist.
	Follow(ctx context.Context, follower, followed social.UserID) (*social.Follow, *social.LargeFollow, *social.User, error)
	// Followers returns a user's followers, those who followed first first.
	Followers(ctx context.Context, followed social.UserID, q page.Query) (page.Page[social.Follow], error)
	// LargeFollows returns those that exist of the large follows beside some follows.
	LargeFollows(ctx context.Context, of []social.Follow) ([]social.LargeFollow, error)
	// AddLarge stores large follows of different followers, all or none. It fails with Conflict
	// if one of them no longer follows or has no profile. DropLarge deletes some, and fails with
	// Conflict if one has changed or its follower has no profile. EndLarge deletes that of
	// somebody who no longer follows, and fails with Conflict if they do again.
	AddLarge(ctx context.Context, added []social.LargeFollow) error
	DropLarge(ctx context.Context, dropped []social.LargeFollow) error
	EndLarge(ctx context.Context, ended social.LargeFollow) error
	// Deliver stores the delivery of a user's posts, and e. It fails with Conflict if it is not
	// the one before.
	Deliver(ctx context.Context, to social.DeliveryChanged, e ...outbox.Record) error
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

// Service implements the feed area. Its fields are set once.
type Service struct {
	decision.Frame
	Store   Store
	Posts   social.PostLister
	Follows social.FollowReader
	// Large is for reading large accounts.
	Large *Large
	// FanOutLimit is the number of followers from which posts are not copied into feeds; 0
	// means that they always are.
	FanOutLimit int
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
	accounts, err := of.LargeAccounts(ctx, s.Large)
	if err != nil {
		return nil, err
	}
	if len(accounts) > 0 {
		p, err := s.merged(ctx, of.UserID(), accounts, q)
		return &p, err
	}
	p, err := s.Store.Entries(ctx, of.UserID(), q)
	if err != nil {
		return nil, err
	}
	ids := page.Map(p, func(i social.FeedItem) social.PostID { return i.PostID })
	return &ids, nil
}
