// Package story decides what stories are: completed posts that end within a day, soonest
// first, and whose of them each follower is shown.
//
// The first story of a followed user is kept for each follower. It follows by events, which
// are delivered one after the other for each followed user: the receivers bring about the
// present state, and whatever moves meanwhile has an event of its own behind theirs.
package story

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps first stories.
type Store interface {
	// OfUser returns the completed posts of a user that end until a time, soonest first.
	OfUser(ctx context.Context, owner social.UserID, until time.Time, q page.Query) (page.Page[social.PostID], error)
	// Next returns the completed posts of a user that end first, up to a number. It may
	// lag: look at the posts.
	Next(ctx context.Context, owner social.UserID, most int) ([]social.PostID, error)
	// Followed returns the users whom a user follows and whose first story ends before a
	// time, soonest first.
	Followed(ctx context.Context, follower social.UserID, before time.Time, q page.Query) (page.Page[social.UserID], error)
	// First returns the first stories of a user that are kept for followers, by their
	// index; nil for none.
	First(ctx context.Context, followed social.UserID, followers []social.UserID) ([]*social.FirstStory, error)
	// Put stores up to social.MaxFirstStories first stories and removes those without a
	// post, all or none, and stores e. It fails with Conflict when others do so meanwhile.
	Put(ctx context.Context, stories []social.FirstStory, e ...outbox.Record) error
}

// Follows knows who follows whom.
type Follows interface {
	Pair(ctx context.Context, follower, followed social.UserID) (social.Follow, error)
	// Followers returns the follows that a user has received, newest first.
	Followers(ctx context.Context, followed social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
}

// Service is the story area. Its fields are set once.
type Service struct {
	Store   Store
	Posts   social.PostReader
	Follows Follows
	Events  outbox.Sender
}

// OfUser returns the stories of a user, soonest end first; nil when the viewer may not see
// what the user publishes.
func (s *Service) OfUser(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil || !of.Published() {
		return nil, err
	}
	stories, err := s.Store.OfUser(ctx, of.UserID(), s.Events.Now().Add(social.StoryHorizon), q)
	if err != nil {
		return nil, err
	}
	return &stories, nil
}

// Followed returns whom a user follows that has stories, soonest end first; nil for anybody
// but that user.
func (s *Service) Followed(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.UserID], error) {
	q, err := list.Query()
	if err != nil || !of.IsSelf() {
		return nil, err
	}
	users, err := s.Store.Followed(ctx, of.UserID(), s.Events.Now().Add(social.StoryHorizon), q)
	if err != nil {
		return nil, err
	}
	return &users, nil
}

// StoryMoved gives the followers of a user the story that is the user's first now, a page
// at a time.
func (s *Service) StoryMoved(ctx context.Context, e social.StoryMoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	first, err := s.first(ctx, e.UserID, e.PostID)
	if err != nil || !e.Matters(first) {
		return "", 0, err
	}
	follows, err := s.Follows.Followers(ctx, e.UserID, social.Following, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	followers := make([]social.UserID, len(follows.Items))
	for i, f := range follows.Items {
		followers[i] = f.FollowerUserID
	}
	rows, err = s.show(ctx, e.UserID, first, followers)
	return follows.Next, rows, err
}

// FollowMoved gives a follower the first story of the user whom they follow, or takes it
// away. It is one row, in the lane of the others: there it waits for those before it.
func (s *Service) FollowMoved(ctx context.Context, e social.FollowMoved, _ string, _ outbox.Tell) (next string, rows int, err error) {
	pair, err := s.Follows.Pair(ctx, e.FollowerUserID, e.FollowedUserID)
	if err != nil {
		return "", 0, err
	}
	var first *social.Post
	if pair.Status == social.Following {
		if first, err = s.first(ctx, e.FollowedUserID); err != nil {
			return "", 0, err
		}
	}
	rows, err = s.show(ctx, e.FollowedUserID, first, []social.UserID{e.FollowerUserID})
	return "", rows, err
}

// stale is how many posts an index may be behind by.
const stale = 5

// first returns the story of a user that ends first, nil for none. Posts that have just
// changed may be misplaced in the index, so they are named.
func (s *Service) first(ctx context.Context, owner social.UserID, changed ...social.PostID) (*social.Post, error) {
	ids, err := s.Store.Next(ctx, owner, stale)
	if err != nil {
		return nil, err
	}
	facts, err := s.Posts.Facts(ctx, owner, append(ids, changed...), 0)
	if err != nil {
		return nil, err
	}
	posts := make([]*social.Post, 0, len(facts))
	for _, f := range facts {
		posts = append(posts, f.Post)
	}
	return social.FirstOf(owner, posts), nil
}

// show makes a story of a user, or none, the first for followers, and tells of those for whom
// another one was, or none.
func (s *Service) show(ctx context.Context, followed social.UserID, first *social.Post, followers []social.UserID) (rows int, err error) {
	for some := range slices.Chunk(followers, social.MaxFirstStories) {
		n, err := retry.OnConflict(func() (int, error) { return s.showSome(ctx, followed, first, some) })
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

func (s *Service) showSome(ctx context.Context, followed social.UserID, first *social.Post, followers []social.UserID) (rows int, err error) {
	old, err := s.Store.First(ctx, followed, followers)
	if err != nil {
		return 0, err
	}
	var writes []social.FirstStory
	news := social.FirstStoryMoved{UserID: followed}
	if first != nil {
		news.PostID = first.PostID
	}
	for i, follower := range followers {
		before, after := social.FirstStory{FollowedUserID: followed, FollowerUserID: follower}, social.FirstStory{FollowedUserID: followed, FollowerUserID: follower}
		if old[i] != nil {
			before = *old[i]
		}
		if first != nil {
			after.PostID, after.ExpiresAt = first.PostID, first.ExpiresAt
		}
		if before == after {
			continue
		}
		writes = append(writes, after)
		if before.PostID != after.PostID {
			news.Followers = append(news.Followers, follower)
		}
	}
	if len(writes) == 0 {
		return 0, nil
	}
	var e []outbox.Record
	if len(news.Followers) > 0 {
		e = s.Events.New(ctx, news)
	}
	if err := s.Store.Put(ctx, writes, e...); err != nil {
		return 0, err
	}
	s.Events.Committed(ctx, e...)
	return len(writes), nil
}

// FirstStoryMoved tells followers of another first story, or that there is none.
func (s *Service) FirstStoryMoved(_ context.Context, e social.FirstStoryMoved, tell outbox.Tell) error {
	for _, n := range e.Notifications() {
		tell(n)
	}
	return nil
}
