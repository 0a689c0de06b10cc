package outbox_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/social/feed"
	"stoa/social/follow"
	"stoa/social/notification"
	"stoa/store"
	"stoa/store/storetest"
)

// house is the areas that live on events, joined by a dispatcher over a real store.
type house struct {
	t          *testing.T
	store      *store.Store
	dispatcher *outbox.Dispatcher
	follows    *follow.Service
	feeds      *feed.Service
	listeners  *notification.Service
	ids        int

	mu  sync.Mutex
	now time.Time
}

type measures struct{}

func (measures) Delivered(social.EventKind, time.Duration) {}
func (measures) Failed(social.EventKind)                   {}

type noLikes struct{}

func (noLikes) RemoveBetween(context.Context, viewer.UserID, viewer.UserID) error { return nil }

func newHouse(t *testing.T) *house {
	s, _ := storetest.Open(t)
	h := &house{t: t, store: s, now: storetest.Noon, listeners: &notification.Service{Bus: &bus.Local{}}}
	h.dispatcher = outbox.New(outbox.Config{
		Store: s.Outbox, Leases: &lease.Keeper{Store: s.Leases, Holder: "test", For: time.Hour, Now: h.tick},
		Announce: h.listeners.Publish, Now: h.tick, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Measures: measures{}, Poll: time.Hour,
	})
	h.feeds = &feed.Service{Store: s.Feeds, Posts: s.Posts, Follows: s.Follows}
	h.follows = &follow.Service{
		Store: s.Follows, Users: s.Users, Feeds: h.feeds, Likes: noLikes{}, Events: h.dispatcher, Now: h.tick, NewID: h.newID,
	}
	h.dispatcher.On(social.PostMoved, h.feeds.PostMoved, h.listeners.PostMoved)
	h.dispatcher.On(social.FollowMoved, h.feeds.FollowMoved, outbox.Quietly(h.follows.FollowMoved))
	h.dispatcher.On(social.UserOpened, outbox.Quietly(h.follows.UserOpened))
	return h
}

func (h *house) tick() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(time.Second)
	return h.now
}

func (h *house) newID() string {
	h.ids++
	return fmt.Sprint(h.ids)
}

func (h *house) user(u social.User) social.Caller {
	return storetest.Caller(storetest.User(h.t, h.store, u))
}

func (h *house) post(owner social.Caller, id social.PostID) {
	h.t.Helper()
	at := h.tick()
	p := &social.Post{PostID: id, PostedByUserID: owner.UserID, Type: social.TextOnly, Status: social.PostCompleted, PostedAt: at, Text: "t"}
	e := social.Event{ID: h.newID(), At: at, Kind: social.PostMoved, UserID: owner.UserID, PostID: id, PostTo: p.Status}
	if err := h.store.Posts.Add(h.t.Context(), p, e); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) drain() {
	h.t.Helper()
	if err := h.dispatcher.Drain(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) feed(c social.Caller) string {
	h.t.Helper()
	p, err := h.feeds.Page(h.t.Context(), c.See(), page.Args{})
	if err != nil {
		h.t.Fatal(err)
	}
	var ids []string
	for _, id := range p.Items {
		ids = append(ids, string(id))
	}
	return strings.Join(ids, " ")
}

// listen returns a function that waits for what the user is told up to a mark, which is
// told last.
func (h *house) listen(c social.Caller) (heard func() []string) {
	h.t.Helper()
	notifications, err := h.listeners.Subscribe(h.t.Context(), c.Viewer, c.UserID)
	if err != nil {
		h.t.Fatal(err)
	}
	return func() []string {
		h.t.Helper()
		const mark = social.NotificationType("MARK")
		if err := h.listeners.Publish(h.t.Context(), social.Notification{UserID: c.UserID, Type: mark}); err != nil {
			h.t.Fatal(err)
		}
		var types []string
		for n := range notifications {
			if n.Type == mark {
				break
			}
			types = append(types, string(n.Type))
		}
		slices.Sort(types)
		return types
	}
}

func (h *house) equal(what, got, want string) {
	h.t.Helper()
	if got != want {
		h.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestFollowsAndPostsReachFeedsAndListeners(t *testing.T) {
	h := newHouse(t)
	ana, ben := h.user(social.User{Username: "ana"}), h.user(social.User{Username: "ben"})
	anaHeard, benHeard := h.listen(ana), h.listen(ben)
	do := func(_ *social.SeenUser, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	h.post(ben, "p1")
	h.drain()
	h.equal("told of one's own post", fmt.Sprint(benHeard(), anaHeard()), "[POST_COMPLETED USER_FEED_CHANGED] []")

	do(h.follows.Request(t.Context(), ana, ben.UserID))
	h.drain()
	h.equal("told of a follow", fmt.Sprint(anaHeard(), benHeard()), "[USER_FEED_CHANGED] []")
	h.equal("feed", h.feed(ana), "p1")

	h.post(ben, "p2")
	h.drain()
	h.equal("told of a followed user's post", fmt.Sprint(anaHeard(), benHeard()), "[USER_FEED_CHANGED] [POST_COMPLETED USER_FEED_CHANGED]")
	h.equal("feed", h.feed(ana), "p2 p1")

	do(h.follows.Leave(t.Context(), ana, ben.UserID))
	h.equal("feed at once", h.feed(ana), "")
	h.drain()
	h.equal("told of leaving", fmt.Sprint(anaHeard(), benHeard()), "[USER_FEED_CHANGED] []")
	h.equal("feed", h.feed(ana), "")
}

func TestGoingPublicIsDoneByItsEventAlone(t *testing.T) {
	h := newHouse(t)
	ana, ben := h.user(social.User{Username: "ana"}), h.user(social.User{Username: "ben", Privacy: social.Private})
	h.post(ben, "p1")
	if _, err := h.follows.Request(t.Context(), ana, ben.UserID); err != nil {
		t.Fatal(err)
	}
	h.drain()
	heard := h.listen(ana)
	public := *ben.User
	public.Privacy = social.Public
	e := social.Event{ID: h.newID(), At: h.tick(), Kind: social.UserOpened, UserID: ben.UserID}
	if err := h.store.Users.Change(t.Context(), ben.User, &public, e); err != nil {
		t.Fatal(err)
	}
	h.drain()
	h.equal("feed", h.feed(ana), "p1")
	h.equal("told", fmt.Sprint(heard()), "[USER_FEED_CHANGED]")
}
