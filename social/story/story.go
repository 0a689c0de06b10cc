// Package story decides what stories are: completed posts that end within a day, soonest
// first, and whose of them each follower is shown.
//
// The first story of a followed user is kept for each follower. It follows by events, which
// are delivered one after the other for each followed user: the receivers bring about the
// present state, and whatever moves meanwhile has an event of its own behind theirs.
package story

import (
	"context"
	"time"

	"stoa/internal/kit/page"
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
	// Put stores first stories, and removes those without a post. Some may be made when it
	// fails.
	Put(ctx context.Context, stories []social.FirstStory) error
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
	Now     func() time.Time
}

// OfUser returns the stories of a user, soonest end first; nil when the viewer may not see
// what the user publishes.
func (s *Service) OfUser(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil || !of.Published() {
		return nil, err
	}
	stories, err := s.Store.OfUser(ctx, of.UserID(), s.Now().Add(social.StoryHorizon), q)
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
	users, err := s.Store.Followed(ctx, of.UserID(), s.Now().Add(social.StoryHorizon), q)
	if err != nil {
		return nil, err
	}
	return &users, nil
}

// StoryMoved gives the followers of a user the story that is the user's first now, a page
// at a time.
func (s *Service) StoryMoved(ctx context.Context, e social.StoryMoved, cursor string, tell outbox.Tell) (next string, rows int, err error) {
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
	rows, err = s.show(ctx, e.UserID, first, followers, tell)
	return follows.Next, rows, err
}

// FollowMoved gives a follower the first story of the user whom they follow, or takes it
// away. It is one row, in the lane of the others: there it waits for those before it.
func (s *Service) FollowMoved(ctx context.Context, e social.FollowMoved, _ string, tell outbox.Tell) (next string, rows int, err error) {
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
	rows, err = s.show(ctx, e.FollowedUserID, first, []social.UserID{e.FollowerUserID}, tell)
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

// show makes a story of a user, or none, the first for followers, and tells those for whom
// another one was, or none.
func (s *Service) show(ctx context.Context, followed social.UserID, first *social.Post, followers []social.UserID, tell outbox.Tell) (rows int, err error) {
	if len(followers) == 0 {
		return 0, nil
	}
	old, err := s.Store.First(ctx, followed, followers)
	if err != nil {
		return 0, err
	}
	var writes []social.FirstStory
	var news []social.Notification
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
			news = append(news, changed(after))
		}
	}
	if err := s.Store.Put(ctx, writes); err != nil {
		s.tellMade(ctx, writes, news, tell)
		return 0, err
	}
	for _, n := range news {
		tell(n)
	}
	return len(writes), nil
}

// tellMade tells the news of those writes that were made though others failed: the next
// attempt finds these rows as they should be, and tells nobody. Where that cannot be seen
// all are told, and some perhaps twice.
func (s *Service) tellMade(ctx context.Context, writes []social.FirstStory, news []social.Notification, tell outbox.Tell) {
	made := map[social.UserID]bool{}
	followers := make([]social.UserID, len(writes))
	for i, w := range writes {
		followers[i] = w.FollowerUserID
	}
	now, err := s.Store.First(ctx, writes[0].FollowedUserID, followers)
	for i, w := range writes {
		made[w.FollowerUserID] = err != nil || now[i] == nil && w.PostID == "" || now[i] != nil && *now[i] == w
	}
	for _, n := range news {
		if made[n.UserID] {
			tell(n)
		}
	}
}

// changed tells a follower of another first story, or that there is none.
func changed(f social.FirstStory) social.Notification {
	n := social.Notification{UserID: f.FollowerUserID, Type: social.NotifyFollowedStoriesChanged, FollowedUserID: &f.FollowedUserID}
	if f.PostID != "" {
		n.PostID = &f.PostID
	}
	return n
}
