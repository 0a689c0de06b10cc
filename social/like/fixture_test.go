package like_test

import (
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/like"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the like area on a fresh store.
type world struct {
	testing.TB
	*like.Service
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
	w.Service = &like.Service{Store: s.Likes, Posts: s.Posts, People: &user.Service{Store: s.Users}, Events: outbox.Sender{Clock: w.now}}
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

func noLikes(u *social.User) { u.LikesDisabled = ptr(true) }

// post stores a post of c.
func (w *world) post(c social.Caller, id social.PostID, change ...func(*social.Post)) social.Post {
	w.Helper()
	p := social.Post{PostID: id, PostedByUserID: c.UserID, PostedAt: w.now()}
	for _, change := range change {
		change(&p)
	}
	return storetest.Post(w, w.store, p)
}

// like makes users like a post.
func (w *world) like(id social.PostID, status social.LikeStatus, by ...social.Caller) {
	w.Helper()
	for _, c := range by {
		if _, err := w.Like(w.Context(), c, id, status, everything); err != nil {
			w.Fatalf("%s likes %s: %v", c.User.Username, id, err)
		}
	}
}

func (w *world) unfollow(follower, followed social.Caller) {
	w.Helper()
	step := social.FollowStep{From: social.Following, Follow: social.Follow{
		FollowerUserID: follower.UserID, FollowedUserID: followed.UserID, Status: social.NotFollowing,
	}}
	if err := w.store.Follows.Move(w.Context(), step); err != nil {
		w.Fatal(err)
	}
}

// wantLikes compares the likes of a post, of which there are few, and their counts.
func (w *world) wantLikes(id social.PostID, want map[social.UserID]social.LikeStatus) {
	w.Helper()
	likes, err := w.store.Likes.OfPost(w.Context(), id, page.Query{First: page.Max})
	if err != nil {
		w.Fatal(err)
	}
	got, counts := map[social.UserID]social.LikeStatus{}, map[string]int{}
	for _, l := range likes.Items {
		got[l.LikedByUserID] = l.Status
	}
	for user, status := range want {
		if got[user] != status {
			w.Errorf("%s likes %s as %q, want %q", user, id, got[user], status)
		}
		counts[map[social.LikeStatus]string{social.OnymouslyLiked: "onymousLikeCount", social.AnonymouslyLiked: "anonymousLikeCount"}[status]]++
	}
	if len(got) != len(want) {
		w.Errorf("%d likes of %s, want %d", len(got), id, len(want))
	}
	storetest.Counts(w, w.calls, "post/"+string(id), "-", counts)
}

// everything is what an answer can show.
var everything = social.Details.All()

// as is one user as another sees them.
func (w *world) as(viewer, c social.Caller) *social.SeenUser {
	w.Helper()
	users, err := w.People.Visible(w.Context(), viewer.Viewer, []social.UserID{c.UserID}, social.BothWays)
	if err != nil {
		w.Fatal(err)
	}
	return users[c.UserID]
}

// postAs is a post as a user sees it, whether or not they may.
func (w *world) postAs(viewer, owner social.Caller, id social.PostID) *social.SeenPost {
	w.Helper()
	facts, err := w.store.Posts.Facts(w.Context(), viewer.UserID, []social.PostID{id}, social.LikeMark)
	if err != nil {
		w.Fatal(err)
	}
	return facts[id].See(social.SeenUsers{owner.UserID: w.as(viewer, owner)})
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

// removeBetween removes all likes of one user on posts of another.
func (w *world) removeBetween(liker, owner social.Caller) error {
	for cursor := ""; ; {
		next, _, err := w.RemoveBetween(w.Context(), liker.UserID, owner.UserID, cursor)
		if next == "" || err != nil {
			return err
		}
		cursor = next
	}
}
