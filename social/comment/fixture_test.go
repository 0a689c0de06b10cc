package comment_test

import (
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/comment"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the comment area on a fresh store.
type world struct {
	testing.TB
	*comment.Service
	store *store.Store
	calls *storetest.Calls

	// mu guards the clock: some tests act from several goroutines. Every look at it takes
	// a millisecond.
	mu    sync.Mutex
	clock time.Time
}

func newWorld(t testing.TB) *world {
	s, calls := storetest.Open(t)
	w := &world{TB: t, store: s, calls: calls, clock: storetest.Noon}
	w.Service = &comment.Service{Store: s.Comments, Posts: s.Posts, People: &user.Service{Store: s.Users}, Events: outbox.Sender{Clock: w.now}}
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(time.Millisecond)
	return w.clock
}

func (w *world) user(name string, change ...func(*social.User)) social.Caller {
	w.Helper()
	u := social.User{Username: name}
	for _, c := range change {
		c(&u)
	}
	return storetest.Caller(storetest.User(w, w.store, u))
}

func private(u *social.User) { u.Privacy = social.Private }

// post stores a post of c.
func (w *world) post(c social.Caller, id social.PostID, change ...func(*social.Post)) social.Post {
	w.Helper()
	p := social.Post{PostID: id, PostedByUserID: c.UserID, PostedAt: w.now()}
	for _, change := range change {
		change(&p)
	}
	return storetest.Post(w, w.store, p)
}

// comment adds a comment on a post.
func (w *world) comment(by social.Caller, on social.PostID, id social.CommentID) *social.SeenComment {
	w.Helper()
	c, err := w.Add(w.Context(), by, id, on, "text of "+string(id), everything)
	if err != nil {
		w.Fatalf("comment %s: %v", id, err)
	}
	return c
}

// wantPost compares the counters of a post, and the time by which it stands among its
// owner's posts with unviewed comments; zero for not at all.
func (w *world) wantPost(id social.PostID, comments, unviewed int, since time.Time) {
	w.Helper()
	counts := map[string]int{}
	if comments > 0 {
		counts["commentCount"] = comments
	}
	if unviewed > 0 {
		counts["commentsUnviewedCount"] = unviewed
	}
	storetest.Counts(w, w.calls, "post/"+string(id), "-", counts)
	item := storetest.Get(w, w.calls, store.Main.Name, "post/"+string(id), "-")
	key, _ := item["gsiA3SortKey"].(string)
	want := ""
	if !since.IsZero() {
		want = since.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	if key != want {
		w.Errorf("%s stands among posts with unviewed comments at %q, want %q", id, key, want)
	}
	if pk, _ := item["gsiA3PartitionKey"].(string); (pk == "") != (want == "") {
		w.Errorf("%s has half a key: %q and %q", id, pk, key)
	}
}

// wantAuthor compares the counters of a profile, posts aside.
func (w *world) wantAuthor(c social.Caller, comments, deleted int) {
	w.Helper()
	profile := storetest.Get(w, w.calls, store.Main.Name, "user/"+string(c.UserID), "profile")
	for counter, want := range map[string]int{"commentCount": comments, "commentDeletedCount": deleted} {
		if got, _ := profile[counter].(float64); int(got) != want {
			w.Errorf("%s of %s = %v, want %d", counter, c.User.Username, profile[counter], want)
		}
	}
}

// everything is what an answer can show.
var everything = social.Details.All()

// stored is whether there is a comment.
func (w *world) stored(id social.CommentID) bool {
	w.Helper()
	_, found, err := w.store.Comments.Find(w.Context(), "", id, 0)
	if err != nil {
		w.Fatal(err)
	}
	return found
}

// postAs is a post as a user sees it, whether or not they may.
func (w *world) postAs(viewer social.Caller, id social.PostID) *social.SeenPost {
	w.Helper()
	facts, err := w.store.Posts.Facts(w.Context(), viewer.UserID, []social.PostID{id}, 0)
	if err != nil {
		w.Fatal(err)
	}
	users, err := w.People.Visible(w.Context(), viewer.Viewer, facts[id].Users(), 0)
	if err != nil {
		w.Fatal(err)
	}
	return facts[id].See(users)
}

// list reads the first page of a post's comments.
func (w *world) list(viewer social.Caller, id social.PostID, d social.Detail) []*social.SeenComment {
	w.Helper()
	p, err := w.OfPost(w.Context(), viewer.Viewer, w.postAs(viewer, id), page.Args{}, false, d)
	if err != nil {
		w.Fatal(err)
	}
	return p.Items
}

func idsOf(comments []*social.SeenComment) []social.CommentID {
	ids := make([]social.CommentID, len(comments))
	for i, c := range comments {
		ids[i] = c.CommentID()
	}
	return ids
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

// removeOfPost receives the end of a post.
func (w *world) removeOfPost(id social.PostID) error {
	_, err := outboxtest.All(w.Context(), social.PostMoved{PostID: id, To: social.PostDeleting}, w.PostMoved)
	return err
}
