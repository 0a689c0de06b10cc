package user_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
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

	events outboxtest.Recorder

	mu  sync.Mutex
	ids int
}

func newWorld(t *testing.T) *world {
	s, calls := storetest.Open(t)
	w := &world{t: t, store: s, calls: calls, accounts: map[social.UserID]account{}}
	w.service = &user.Service{Store: s.Users, Identity: w, Events: outbox.Sender{
		Clock: func() time.Time { return storetest.Noon.Add(1234 * time.Nanosecond) }, NewID: w.newID, Dispatcher: &w.events,
	}}
	return w
}

func (w *world) Account(_ context.Context, id social.UserID) (email, phone string, found bool, err error) {
	a, found := w.accounts[id]
	return a.email, a.phone, found, nil
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

// wantEvents checks that these events, and no others, are stored and told of.
func (w *world) wantEvents(want ...outbox.Event) {
	w.t.Helper()
	names := func(records []outbox.Record) string {
		var all []string
		for _, r := range records {
			all = append(all, r.Name+string(r.Data))
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	sender := outbox.Sender{Clock: w.service.Events.Clock, NewID: func() string { return "" }, Dispatcher: &outboxtest.Recorder{}}
	wanted := names(sender.New(w.t.Context(), want...))
	if got := names(storetest.Pending(w.t, w.store)); got != wanted {
		w.t.Errorf("stored events %s, want %s", got, wanted)
	}
	if got := names(w.events.Records()); got != wanted {
		w.t.Errorf("told of events %s, want %s", got, wanted)
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
