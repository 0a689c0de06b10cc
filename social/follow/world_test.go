package follow_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/follow"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the follow area over a real store. It stands in for the areas beside it and
// records what they are asked.
type world struct {
	t       *testing.T
	store   *store.Store
	calls   *storetest.Calls
	service *follow.Service
	mu      sync.Mutex
	now     time.Time
	ids     int
	events  outboxtest.Recorder
	unliked []string
	names   map[social.UserID]string
}

func newWorld(t *testing.T) *world {
	s, calls := storetest.Open(t)
	w := &world{t: t, store: s, calls: calls, now: storetest.Noon, names: map[social.UserID]string{}}
	w.service = &follow.Service{
		Store: s.Follows, Users: s.Users, Likes: w,
		Events: outbox.Sender{Clock: w.tick, NewID: w.newID, Dispatcher: &w.events},
	}
	return w
}

// tick gives each decision its own time.
func (w *world) tick() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(time.Second)
	return w.now
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("e%03d", w.ids)
}

func (w *world) RemoveBetween(_ context.Context, liker, owner social.UserID, _ string) (string, int, error) {
	w.unliked = append(w.unliked, w.names[liker]+" "+w.names[owner])
	return "", 1, nil
}

func (w *world) user(u social.User) social.Caller {
	w.t.Helper()
	u = storetest.User(w.t, w.store, u)
	w.names[u.UserID] = u.Username
	return storetest.Caller(u)
}

func (w *world) status(follower, followed social.UserID) social.FollowStatus {
	w.t.Helper()
	pair, err := w.store.Follows.Pair(w.t.Context(), follower, followed)
	if err != nil {
		w.t.Fatal(err)
	}
	return pair.Status
}

func (w *world) profile(id social.UserID) *social.User {
	w.t.Helper()
	u, err := w.store.Users.Profile(w.t.Context(), id)
	if err != nil || u == nil {
		w.t.Fatalf("profile of %s: %v, %v", w.names[id], u, err)
	}
	return u
}

// open makes a private user public behind the back of whoever decides.
func (w *world) open(id social.UserID) {
	w.t.Helper()
	from := w.profile(id)
	to := *from
	to.Privacy = social.Public
	if err := w.store.Users.Change(w.t.Context(), from, &to); err != nil {
		w.t.Fatal(err)
	}
}

// counts are followed, followers and requests of a stored profile.
func (w *world) counts(id social.UserID) [3]int {
	w.t.Helper()
	u := w.profile(id)
	return [3]int{u.FollowedCount, u.FollowerCount, u.FollowersRequestedCount}
}

func (w *world) wantCounts(id social.UserID, followed, followers, requests int) {
	w.t.Helper()
	if got, want := w.counts(id), [3]int{followed, followers, requests}; got != want {
		w.t.Errorf("%s follows, is followed and asked by %v, want %v", w.names[id], got, want)
	}
}

// outbox are the stored events.
func (w *world) outbox() []outbox.Record { return storetest.Pending(w.t, w.store) }

// must unwraps an answer that is no error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refused checks the text of an error, "" for none.
func refused(t *testing.T, name string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}
