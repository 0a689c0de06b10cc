package user_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

// account is what the identity provider knows of somebody.
type account struct{ email, phone string }

// world is the user area over a real store. It stands in for the identity provider and
// the follow area.
type world struct {
	t        *testing.T
	store    *store.Store
	calls    *storetest.Calls
	service  *user.Service
	accounts map[social.UserID]account

	mu        sync.Mutex
	ids       int
	committed []social.Event
	// opened is called in place of the follow area's OpenAll.
	opened func(id social.UserID) error
}

func newWorld(t *testing.T) *world {
	s, calls := storetest.Open(t)
	w := &world{t: t, store: s, calls: calls, accounts: map[social.UserID]account{}}
	w.opened = func(id social.UserID) error {
		t.Errorf("the follows of %s were opened", id)
		return nil
	}
	w.service = &user.Service{
		Store: s.Users, Identity: w, Follows: w, Events: w, NewID: w.newID,
		Now: func() time.Time { return storetest.Noon.Add(1234 * time.Nanosecond) },
	}
	return w
}

func (w *world) Account(_ context.Context, id social.UserID) (email, phone string, found bool, err error) {
	a, found := w.accounts[id]
	return a.email, a.phone, found, nil
}

func (w *world) OpenAll(_ context.Context, id social.UserID) error { return w.opened(id) }

func (w *world) Committed(_ context.Context, e ...social.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.committed = append(w.committed, e...)
}

func (w *world) Fulfilled(ctx context.Context, e social.Event) {
	if err := w.store.Outbox.Done(ctx, e.Shard(), []social.Event{e}); err != nil {
		w.t.Error(err)
	}
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("e%03d", w.ids)
}

// now is the clock as it is stored.
var now = storetest.Noon.Add(time.Microsecond)

func (w *world) user(u social.User) social.Caller {
	w.t.Helper()
	return storetest.Caller(storetest.User(w.t, w.store, u))
}

// signedUp is a viewer with an account and no profile.
func (w *world) signedUp(name string) social.Viewer {
	id := storetest.UserID(name)
	w.accounts[id] = account{email: name + "@example.org"}
	return social.Viewer{UserID: id}
}

func (w *world) profile(id social.UserID) *social.User {
	w.t.Helper()
	u, err := w.store.Users.Profile(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

// outbox are the stored events.
func (w *world) outbox() []social.Event {
	w.t.Helper()
	var all []social.Event
	for shard := range social.EventShards {
		p, err := w.store.Outbox.Pending(w.t.Context(), shard, page.Query{First: 100})
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, p.Items...)
	}
	return all
}

// wantEvents checks that these events, and no others, are stored and told of.
func (w *world) wantEvents(want ...social.Event) {
	w.t.Helper()
	if got := w.outbox(); !slices.Equal(got, want) {
		w.t.Errorf("stored events %+v, want %+v", got, want)
	}
	if !slices.Equal(w.committed, want) {
		w.t.Errorf("told of events %+v, want %+v", w.committed, want)
	}
}

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
