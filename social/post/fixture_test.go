package post_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/post"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the post area on a fresh store.
type world struct {
	testing.TB
	*post.Service
	store *store.Store
	calls *storetest.Calls

	// mu guards what follows: some tests act from several goroutines.
	mu sync.Mutex
	// events are those that the area announced.
	events outboxtest.Recorder
	// clock is the present. Every look at it takes a millisecond.
	clock time.Time
	ids   int
}

func newWorld(t testing.TB) *world {
	s, calls := storetest.Open(t)
	w := &world{TB: t, store: s, calls: calls, clock: storetest.Noon}
	users := &user.Service{Store: s.Users}
	w.Service = &post.Service{
		Store: s.Posts, Albums: s.Albums, People: users, Events: outbox.Sender{Clock: w.now, NewID: w.newID, Dispatcher: &w.events},
	}
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(time.Millisecond)
	return w.clock
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprint("event-", w.ids)
}

// user makes a profile and returns whoever acts with it.
func (w *world) user(name string, change ...func(*social.User)) social.Caller {
	w.Helper()
	u := social.User{Username: name}
	for _, c := range change {
		c(&u)
	}
	return storetest.Caller(storetest.User(w, w.store, u))
}

func private(u *social.User) { u.Privacy = social.Private }

// post publishes a text of c.
func (w *world) post(c social.Caller, id social.PostID) *social.SeenPost {
	w.Helper()
	p, err := w.Add(w.Context(), c, social.NewPost{PostID: id, Type: social.TextOnly, Text: "text of " + string(id)}, everything)
	if err != nil {
		w.Fatalf("post %s: %v", id, err)
	}
	return p
}

// stored returns a post as it is in the store, nil when there is none.
func (w *world) stored(id social.PostID) *social.Post {
	w.Helper()
	facts, err := w.store.Posts.Facts(w.Context(), "", []social.PostID{id}, 0)
	if err != nil {
		w.Fatal(err)
	}
	return facts[id].Post
}

// wantCounts compares the counters of a profile.
func (w *world) wantCounts(c social.Caller, want map[string]int) {
	w.Helper()
	storetest.Counts(w, w.calls, "user/"+string(c.UserID), "profile", want)
}

// wantEvents compares the changes of one user's posts that wait for their delivery with
// those that were announced, and both with what is wanted.
func (w *world) wantEvents(want ...string) {
	w.Helper()
	stored, told := []string{}, []string{}
	for _, e := range outboxtest.Of[social.PostMoved](w, storetest.Pending(w, w.store)) {
		stored = append(stored, moved(e))
	}
	for _, e := range outboxtest.Of[social.PostMoved](w, w.events.Records()) {
		told = append(told, moved(e))
	}
	if fmt.Sprint(stored) != fmt.Sprint(want) || fmt.Sprint(told) != fmt.Sprint(want) {
		w.Errorf("events stored %v and announced %v, want %v", stored, told, want)
	}
}

func moved(e social.PostMoved) string {
	return fmt.Sprintf("%s %s from %q to %s", e.EventName(), e.PostID, e.From, e.To)
}

// self is c as they see themselves.
func (w *world) self(c social.Caller) *social.SeenUser { return w.as(c, c) }

// as is one user as another sees them.
func (w *world) as(viewer, c social.Caller) *social.SeenUser {
	w.Helper()
	users, err := w.People.Visible(w.Context(), viewer.Viewer, []social.UserID{c.UserID}, social.BothWays)
	if err != nil {
		w.Fatal(err)
	}
	return users[c.UserID]
}

// setStatus gives a post a status that no operation leads to yet.
func (w *world) setStatus(id social.PostID, owner social.Caller, status social.PostStatus) {
	w.Helper()
	item := storetest.Get(w, w.calls, store.Main.Name, "post/"+string(id), "-")
	item["postStatus"] = string(status)
	item["gsiA2SortKey"] = string(status) + "/" + item["postedAt"].(string)
	storetest.Put(w, w.calls, store.Main.Name, item)
}

// want compares the text of an error, "" for none.
func want(t testing.TB, err error, text string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != text {
		t.Errorf("error %q, want %q", got, text)
	}
}

func ptr[T any](v T) *T { return &v }
