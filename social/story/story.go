// Package story manages stories, the completed posts that expire within a day, and the
// first story of each followed user that followers see.
//
// The first story of a followed user is stored for each follower. It is updated by events,
// of which those of a follow and those of a story may be received at the same time:
// receivers store the present state, and read it again afterwards.
package story

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores first stories.
type Store interface {
	// OfUser returns the completed posts of a user that expire by until, soonest first.
	OfUser(ctx context.Context, owner social.UserID, until time.Time, q page.Query) (page.Page[social.PostID], error)
	// Next returns at most most completed posts of a user, soonest to expire first. It may
	// lag behind; check the posts.
	Next(ctx context.Context, owner social.UserID, most int) ([]social.PostID, error)
	// Followed returns the users that a user follows and whose first story expires before
	// the given time, soonest first.
	Followed(ctx context.Context, follower social.UserID, before time.Time, q page.Query) (page.Page[social.UserID], error)
	// First returns the first stories of a user stored for others, nil if there is none, and
	// whether each of them follows the user, both by index.
	First(ctx context.Context, followed social.UserID, others []social.UserID) (stories []*social.FirstStory, follow []bool, err error)
	// Put stores up to social.MaxFirstStories first stories, deleting those without a post,
	// and e, all or none. It fails with Conflict if they change concurrently.
	Put(ctx context.Context, stories []social.FirstStory, e ...outbox.Record) error
}

// Service implements the story area. Its fields are set once.
type Service struct {
	decision.Frame
	Store   Store
	Posts   social.PostReader
	Follows social.FollowReader
}

// OfUser returns the stories of a user, soonest to expire first, or nil if the viewer may
// not see what the user publishes.
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

// Followed returns the followed users with stories, soonest to expire first, or nil to
// viewers other than the follower.
func (s *Service) Followed(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.Entry], error) {
	q, err := list.Query()
	if err != nil || !of.IsSelf() {
		return nil, err
	}
	users, err := s.Store.Followed(ctx, of.UserID(), s.Now().Add(social.StoryHorizon), q)
	if err != nil {
		return nil, err
	}
	entries := page.Map(users, func(id social.UserID) social.Entry { return social.Entry{UserID: id, Followed: true} })
	return &entries, nil
}

// StoryChanged updates the first story of a user for their followers, a page at a time.
func (s *Service) StoryChanged(ctx context.Context, e social.StoryChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	first, err := s.first(ctx, e.UserID, e.PostID)
	if err != nil || !e.Matters(first) {
		return "", 0, err
	}
	follows, err := s.Follows.Followers(ctx, e.UserID, social.Following, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	followers := slice.Map(follows.Items, func(f social.Follow) social.UserID { return f.FollowerUserID })
	rows, err = s.show(ctx, e.UserID, followers, e.PostID)
	return follows.Next, rows, err
}

// FollowStatusChanged stores or deletes the first story of a followed user for one follower.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, _ string, _ outbox.Tell) (next string, rows int, err error) {
	rows, err = s.show(ctx, e.FollowedUserID, []social.UserID{e.FollowerUserID})
	return "", rows, err
}

// stale is the maximum number of posts by which the index may lag behind.
const stale = 5

// first returns the first story of a user to expire, or nil. Posts that have just changed
// may be misplaced in the index and are passed as changed.
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

// show stores a user's first story for those of the others who follow them, and deletes it for
// the rest, with an event for those for whom it changed. Posts that have just changed are
// passed as changed.
func (s *Service) show(ctx context.Context, followed social.UserID, others []social.UserID, changed ...social.PostID) (rows int, err error) {
	for some := range slices.Chunk(others, social.MaxFirstStories) {
		// What was read may have changed by the time it is stored, so this is repeated until there
		// is nothing to store.
		for n := 1; n > 0; rows += n {
			n, err = decision.Run(ctx, s.Frame, func(a *decision.Attempt) (int, error) { return s.showSome(ctx, a, followed, some, changed) })
			if err != nil {
				return 0, err
			}
		}
	}
	return rows, nil
}

func (s *Service) showSome(
	ctx context.Context, a *decision.Attempt, followed social.UserID, others []social.UserID, changed []social.PostID,
) (rows int, err error) {
	old, follow, err := s.Store.First(ctx, followed, others)
	if err != nil {
		return 0, err
	}
	var first *social.Post
	if slices.Contains(follow, true) {
		if first, err = s.first(ctx, followed, changed...); err != nil {
			return 0, err
		}
	}
	var writes []social.FirstStory
	news := social.FirstStoryChanged{UserID: followed}
	if first != nil {
		news.PostID = first.PostID
	}
	for i, follower := range others {
		after := social.FirstStory{FollowedUserID: followed, FollowerUserID: follower}
		before := after
		if old[i] != nil {
			before = *old[i]
		}
		if first != nil && follow[i] {
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
	var events []outbox.Event
	if len(news.Followers) > 0 {
		events = append(events, news)
	}
	return len(writes), s.Store.Put(ctx, writes, a.Emit(events...)...)
}

// FirstStoryChanged notifies followers that the first story of a user has changed.
func (s *Service) FirstStoryChanged(_ context.Context, e social.FirstStoryChanged, tell outbox.Tell) error {
	for _, n := range e.Notifications() {
		tell(n)
	}
	return nil
}
