package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/feed"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the feed area over a real store.
type world struct {
	t       *testing.T
	store   *store.Store
	calls   *storetest.Calls
	service *feed.Service
	users   map[string]social.UserID
	names   map[social.UserID]string
	now     time.Time
}

func newWorld(t *testing.T, names ...string) *world {
	s, calls := storetest.Open(t)
	w := &world{
		t: t, store: s, calls: calls, now: storetest.Noon,
		service: &feed.Service{Store: s.Feeds, Posts: s.Posts, Follows: s.Follows},
		users:   map[string]social.UserID{}, names: map[social.UserID]string{},
	}
	for _, name := range names {
		w.user(name)
	}
	return w
}

func (w *world) user(name string) {
	u := storetest.User(w.t, w.store, social.User{Username: name})
	w.users[name], w.names[u.UserID] = u.UserID, name
}

func (w *world) tick() time.Time {
	w.now = w.now.Add(time.Second)
	return w.now
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// follow brings a follow into a status, without its event's effects.
func (w *world) follow(follower, followed string, status social.FollowStatus) social.FollowMoved {
	w.t.Helper()
	pair, err := w.store.Follows.Pair(w.t.Context(), w.users[follower], w.users[followed])
	w.ok(err)
	step := social.FollowStep{From: pair.Status, Follow: pair}
	step.Follow.Status = status
	if step.Follow.FollowedAt.IsZero() {
		step.Follow.FollowedAt = w.tick()
	}
	w.ok(w.store.Follows.Move(w.t.Context(), step))
	return step.Moved()
}

// post adds a post, without its event's effects.
func (w *world) post(owner, id string, status social.PostStatus) social.PostMoved {
	w.t.Helper()
	p := &social.Post{
		PostID: social.PostID(id), PostedByUserID: w.users[owner], Type: social.TextOnly, Status: status, PostedAt: w.tick(), Text: "t",
	}
	w.ok(w.store.Posts.Take(w.t.Context(), social.NewPostStep(nil, p, nil, p.PostedAt)))
	return social.PostMoved{UserID: p.PostedByUserID, PostID: p.PostID, To: status}
}

// remove deletes a post, without its event's effects.
func (w *world) remove(id string) social.PostMoved {
	w.t.Helper()
	facts, err := w.store.Posts.Facts(w.t.Context(), "", []social.PostID{social.PostID(id)}, 0)
	w.ok(err)
	p := facts[social.PostID(id)].Post
	w.ok(w.store.Posts.Take(w.t.Context(), social.NewPostStep(p, p.Gone(), nil, p.PostedAt)))
	return social.PostMoved{UserID: p.PostedByUserID, PostID: p.PostID, From: p.Status, To: social.PostDeleting}
}

// deliver gives an event to its receiver and returns who is told of a changed feed.
func (w *world) deliver(e outbox.Event) []string {
	w.t.Helper()
	var told []outbox.Message
	var err error
	switch e := e.(type) {
	case social.PostMoved:
		told, err = outboxtest.All(w.t.Context(), e, w.service.PostMoved)
	case social.FollowMoved:
		told, err = outboxtest.All(w.t.Context(), e, w.service.FollowMoved)
	}
	w.ok(err)
	return w.told(told)
}

func (w *world) told(messages []outbox.Message) []string {
	w.t.Helper()
	var names []string
	for _, m := range messages {
		n := m.(social.Notification)
		if n.Type != social.NotifyFeedChanged || n.PostID != nil {
			w.t.Errorf("notification %+v", n)
		}
		names = append(names, w.names[n.UserID])
	}
	slices.Sort(names)
	return names
}

// feed returns the posts in a user's feed.
func (w *world) feed(name string) string {
	w.t.Helper()
	var ids []string
	args := page.Args{}
	for {
		p, err := w.service.Page(w.t.Context(), w.self(name), args)
		w.ok(err)
		for _, id := range p.Items {
			ids = append(ids, string(id))
		}
		if args.NextToken = p.NextToken(); args.NextToken == nil {
			return strings.Join(ids, " ")
		}
	}
}

func (w *world) self(name string) *social.SeenUser {
	return social.OwnFacts(social.Viewer{UserID: w.users[name]}, &social.User{UserID: w.users[name]}).See()
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestACompletedPostReachesOwnerAndFollowers(t *testing.T) {
	w := newWorld(t, "ana", "follower", "asking", "denied", "stranger")
	w.follow("follower", "ana", social.Following)
	w.follow("asking", "ana", social.FollowRequested)
	w.follow("denied", "ana", social.FollowRequested)
	w.follow("denied", "ana", social.FollowDenied)
	w.follow("ana", "stranger", social.Following)
	e := w.post("ana", "p1", social.PostCompleted)
	for range 2 { // a repeated delivery changes nothing
		equal(t, "told", fmt.Sprint(w.deliver(e)), "[ana follower]")
		for name, want := range map[string]string{"ana": "p1", "follower": "p1", "asking": "", "denied": "", "stranger": ""} {
			equal(t, "feed of "+name, w.feed(name), want)
		}
	}
	equal(t, "told of an unfinished post", fmt.Sprint(w.deliver(w.post("ana", "p2", social.PostPending))), "[]")
	equal(t, "feed", w.feed("ana"), "p1")
}

func TestAPostThatIsGoneLeavesAllFeeds(t *testing.T) {
	w := newWorld(t, "ana", "ben")
	w.follow("ben", "ana", social.Following)
	w.deliver(w.post("ana", "p1", social.PostCompleted))
	w.deliver(w.post("ana", "p2", social.PostCompleted))
	e := w.remove("p1")
	equal(t, "told", fmt.Sprint(w.deliver(e)), "[ana ben]")
	equal(t, "feed", w.feed("ben"), "p2")
	equal(t, "told again", fmt.Sprint(w.deliver(e)), "[]")
}

func TestAnEventThatComesLateBringsAboutThePresent(t *testing.T) {
	w := newWorld(t, "ana", "ben", "cem")
	w.follow("ben", "ana", social.Following)
	added := w.post("ana", "p1", social.PostCompleted)
	removed := w.remove("p1")
	equal(t, "told of a post that is gone", fmt.Sprint(w.deliver(added)), "[]")
	equal(t, "feed", w.feed("ben"), "")

	// Somebody else takes the id. The old events must neither spread nor end that post.
	w.follow("ben", "cem", social.Following)
	w.deliver(w.post("cem", "p1", social.PostCompleted))
	equal(t, "told", fmt.Sprint(w.deliver(removed)), "[]")
	equal(t, "feed of ana", w.feed("ana"), "")
	equal(t, "feed of ben", w.feed("ben"), "p1")
}

func TestFollowingAndLeavingMoveThePosts(t *testing.T) {
	w := newWorld(t, "ana", "ben", "cem")
	w.deliver(w.post("ana", "a1", social.PostCompleted))
	w.deliver(w.post("cem", "c1", social.PostCompleted))
	w.deliver(w.post("ana", "a2", social.PostCompleted))
	w.post("ana", "a3", social.PostArchived)
	w.deliver(w.follow("ben", "cem", social.Following))

	for _, c := range []struct {
		status social.FollowStatus
		want   string
	}{
		{social.FollowRequested, "c1"},
		{social.Following, "a2 c1 a1"},
		{social.FollowDenied, "c1"},
		{social.Following, "a2 c1 a1"},
		{social.NotFollowing, "c1"},
	} {
		e := w.follow("ben", "ana", c.status)
		for range 2 {
			equal(t, "told of "+string(c.status), fmt.Sprint(w.deliver(e)), "[ben]")
			equal(t, "feed when "+string(c.status), w.feed("ben"), c.want)
		}
	}
	equal(t, "feed of ana", w.feed("ana"), "a2 a1")
}

func TestEventsOfAFollowMayComeInAnyOrder(t *testing.T) {
	w := newWorld(t, "ana", "ben")
	w.deliver(w.post("ana", "p1", social.PostCompleted))
	follows := w.follow("ben", "ana", social.Following)
	leaves := w.follow("ben", "ana", social.NotFollowing)
	w.deliver(leaves)
	w.deliver(follows)
	equal(t, "feed after leaving", w.feed("ben"), "")
}

// turning is a feed store that has something happen before it looks whether what it
// wrote was right, as another process might.
type turning struct {
	feed.Store
	turn func()
}

func (s *turning) Standing(ctx context.Context, items []social.FeedItem) ([]bool, error) {
	if turn := s.turn; turn != nil {
		s.turn = nil
		turn()
	}
	return s.Store.Standing(ctx, items)
}

func TestWhatMovesMeanwhileIsMended(t *testing.T) {
	for name, c := range map[string]struct {
		given     func(w *world) outbox.Event
		meanwhile func(w *world)
		want      string
	}{
		"a follow ends while its posts come in": {
			func(w *world) outbox.Event { return w.follow("ben", "ana", social.Following) },
			func(w *world) { w.follow("ben", "ana", social.NotFollowing) }, "",
		},
		"a follow begins while its posts go": {
			func(w *world) outbox.Event {
				w.deliver(w.follow("ben", "ana", social.Following))
				return w.follow("ben", "ana", social.NotFollowing)
			},
			func(w *world) { w.follow("ben", "ana", social.Following) }, "p1",
		},
		"a post goes while it spreads": {
			func(w *world) outbox.Event {
				w.follow("ben", "ana", social.Following)
				return w.post("ana", "p2", social.PostCompleted)
			},
			func(w *world) { w.remove("p2") }, "",
		},
		"a follower leaves while a post spreads": {
			func(w *world) outbox.Event {
				w.follow("ben", "ana", social.Following)
				return w.post("ana", "p2", social.PostCompleted)
			},
			func(w *world) { w.follow("ben", "ana", social.NotFollowing) }, "",
		},
	} {
		w := newWorld(t, "ana", "ben")
		w.deliver(w.post("ana", "p1", social.PostCompleted))
		e := c.given(w)
		w.service.Store = &turning{w.store.Feeds, func() { c.meanwhile(w) }}
		w.deliver(e)
		equal(t, name, w.feed("ben"), c.want)
	}
}

func TestManyFollowersAndManyPosts(t *testing.T) {
	const many = page.Max + 3
	w := newWorld(t, "ana", "late")
	for i := range many {
		name := fmt.Sprintf("f%03d", i)
		w.user(name)
		w.follow(name, "ana", social.Following)
	}
	w.calls.Reset()
	told := w.deliver(w.post("ana", "p000", social.PostCompleted))
	equal(t, "told", len(told), many+1)
	equal(t, "feed of the last follower", w.feed(fmt.Sprintf("f%03d", many-1)), "p000")

	for i := 1; i < many; i++ {
		w.post("ana", fmt.Sprintf("p%03d", i), social.PostCompleted)
	}
	w.deliver(w.follow("late", "ana", social.Following))
	equal(t, "posts in the feed", len(strings.Fields(w.feed("late"))), many)
	left := w.follow("late", "ana", social.NotFollowing)
	w.deliver(left)
	equal(t, "feed after leaving", w.feed("late"), "")

	told = w.deliver(w.remove("p000"))
	equal(t, "told of the end", len(told), many+1)
	equal(t, "feed of the first follower", w.feed("f000"), "")
}

// failing is a feed store whose removals fail after some have succeeded.
type failing struct {
	feed.Store
	left int
}

var errFull = errors.New("full")

func (s *failing) Remove(ctx context.Context, items []social.FeedItem) error {
	if s.left == 0 {
		return errFull
	}
	s.left--
	return s.Store.Remove(ctx, items)
}

func TestWhoIsToldOnceIsNotToldAgain(t *testing.T) {
	w := newWorld(t, "ana")
	w.deliver(w.post("ana", "p1", social.PostCompleted))
	for i := range page.Max + 5 {
		name := fmt.Sprintf("f%03d", i)
		w.user(name)
		w.follow(name, "ana", social.Following)
	}
	w.deliver(w.post("ana", "p1b", social.PostCompleted))
	e := w.remove("p1b")
	w.service.Store = &failing{w.store.Feeds, 1}
	first, err := outboxtest.All(t.Context(), e, w.service.PostMoved)
	if !errors.Is(err, errFull) {
		t.Fatalf("PostMoved = %v", err)
	}
	w.service.Store = w.store.Feeds
	second, err := outboxtest.All(t.Context(), e, w.service.PostMoved)
	w.ok(err)
	told := w.told(append(first, second...))
	equal(t, "told", len(told), page.Max+6)
	equal(t, "told once", len(slices.Compact(told)), page.Max+6)
}

func TestPage(t *testing.T) {
	w := newWorld(t, "ana")
	for i := range 3 {
		w.deliver(w.post("ana", fmt.Sprint("p", i), social.PostCompleted))
	}
	two, zero, foreign := 2, 0, "nonsense"
	w.calls.Reset()
	p, err := w.service.Page(t.Context(), w.self("ana"), page.Args{Limit: &two})
	w.ok(err)
	equal(t, "first page", fmt.Sprint(p.Items), "[p2 p1]")
	equal(t, "calls", w.calls.Total(), 1)

	other := social.UserFacts{
		Viewer: w.users["ben"], User: &social.User{UserID: w.users["ana"], Privacy: social.Public},
		Relation: social.Relation{Follows: social.Following},
	}.See()
	if p, err := w.service.Page(t.Context(), other, page.Args{}); p != nil || err != nil {
		t.Errorf("somebody else's feed: %v, %v", p, err)
	}
	if _, err := w.service.Page(t.Context(), other, page.Args{Limit: &zero}); !errors.Is(err, page.ErrLimit) {
		t.Errorf("a bad size of somebody else's feed: %v", err)
	}
	if _, err := w.service.Page(t.Context(), w.self("ana"), page.Args{NextToken: &foreign}); !errors.Is(err, page.ErrToken) {
		t.Errorf("a bad token: %v", err)
	}
}
