package seed

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/social/app"
	"stoa/store"
	"stoa/store/storetest"
)

// filled is a store with a small network in it.
type filled struct {
	*testing.T
	*network
	store  *store.Store
	calls  *storetest.Calls
	issuer *identity.Issuer
	result Result
}

func fillSmall(t *testing.T) filled {
	t.Helper()
	s, calls := storetest.Open(t)
	h, err := host.New(t.Context(), host.Config{
		DB: s.DB, Holder: "test", Now: time.Now, NewID: uuid.NewString, Random: rand.Reader,
		Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
		Log:    slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	}, app.System(app.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	result, err := Fill(t.Context(), s, h.Issuer, nil, Options{Users: 80, Seed: 4, Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	return filled{T: t, network: invent(4, 80, "us-east-1"), store: s, calls: calls, issuer: h.Issuer, result: result}
}

// all reads a list to its end.
func all[T any](t *testing.T, read func(q page.Query) (page.Page[T], error)) (items []T) {
	t.Helper()
	for q := (page.Query{First: page.Max}); ; {
		p, err := read(q)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, p.Items...)
		if p.Next == "" {
			return items
		}
		q.After = p.Next
	}
}

// What the lists hold is what the counters say, and nothing is missing from either.
func TestFillKeepsCounters(t *testing.T) {
	f := fillSmall(t)
	total := Result{Users: len(f.people), Email: f.people[0].email(), Username: f.people[0].username}
	counts := map[social.UserID]map[string]int{}
	for _, p := range f.people {
		counts[p.id] = map[string]int{}
	}
	for _, p := range f.people {
		followers := func(status social.FollowStatus) int {
			n := len(all(t, func(q page.Query) (page.Page[social.Follow], error) {
				return f.store.Follows.Followers(t.Context(), p.id, status, q)
			}))
			total.Follows += n
			return n
		}
		followers(social.FollowDenied)
		posts := all(t, func(q page.Query) (page.Page[*social.Post], error) {
			return f.store.Posts.ByUser(t.Context(), p.id, social.PostCompleted, q)
		})
		total.Posts += len(posts)
		count(counts[p.id], "followerCount", followers(social.Following))
		count(counts[p.id], "followersRequestedCount", followers(social.FollowRequested))
		count(counts[p.id], "followedCount", len(all(t, func(q page.Query) (page.Page[social.Follow], error) {
			return f.store.Follows.Followed(t.Context(), p.id, social.Following, q)
		})))
		count(counts[p.id], "postCount", len(posts))
		for _, post := range posts {
			comments, likes := f.checkPost(post)
			for _, c := range comments {
				count(counts[c.UserID], "commentCount", 1)
			}
			total.Comments += len(comments)
			total.Likes += likes
		}
	}
	for id, want := range counts {
		storetest.Counts(t, f.calls, "user/"+string(id), "profile", want)
	}
	if total != f.result {
		t.Errorf("Fill reports %+v, the store holds %+v", f.result, total)
	}
}

// count adds to a counter, which is absent while it is zero.
func count(counts map[string]int, name string, n int) {
	if n > 0 {
		counts[name] += n
	}
}

// checkPost compares a post's counters with its lists.
func (f filled) checkPost(post *social.Post) (comments []*social.Comment, likes int) {
	f.Helper()
	comments = all(f.T, func(q page.Query) (page.Page[*social.Comment], error) {
		return f.store.Comments.ByPost(f.Context(), post.PostID, q, false)
	})
	likesOf := func(status social.LikeStatus) int {
		return len(all(f.T, func(q page.Query) (page.Page[social.Like], error) {
			return f.store.Likes.ByPost(f.Context(), post.PostID, status, q)
		}))
	}
	onymous, anonymous := likesOf(social.OnymouslyLiked), likesOf(social.AnonymouslyLiked)
	if post.CommentCount != len(comments) || post.OnymousLikeCount != onymous || post.AnonymousLikeCount != anonymous {
		f.Errorf("post %+v has %d comments, %d and %d likes", post, len(comments), onymous, anonymous)
	}
	return comments, onymous + anonymous
}

// Everybody's feed holds their own posts and those of whom they follow, newest first.
func TestFillKeepsFeeds(t *testing.T) {
	f := fillSmall(t)
	for i, p := range f.people {
		sources := []int{i}
		for _, follow := range f.follows[i] {
			if follow.status == social.Following {
				sources = append(sources, int(follow.to))
			}
		}
		var posts []social.Post
		for _, source := range sources {
			for _, w := range f.posts(source) {
				posts = append(posts, w.post)
			}
		}
		slices.SortFunc(posts, func(a, b social.Post) int { return b.PostedAt.Compare(a.PostedAt) })
		var want []social.PostID
		for _, post := range posts {
			want = append(want, post.PostID)
		}
		got := all(t, func(q page.Query) (page.Page[social.PostID], error) { return f.store.Feeds.Page(t.Context(), p.id, q) })
		if !slices.Equal(got, want) {
			t.Fatalf("the feed of %s holds %d posts, want %d in order", p.username, len(got), len(want))
		}
	}
}

func TestAnybodyFilledCanSignIn(t *testing.T) {
	f := fillSmall(t)
	handler := f.issuer.Handler()
	for _, body := range []string{
		`{"email":` + strconv.Quote(f.result.Email) + `,"password":"` + Password + `"}`,
		`{"userId":"` + string(f.people[79].id) + `","password":"` + Password + `"}`,
	} {
		r := httptest.NewRequest(http.MethodPost, "/auth/sign-in", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}

func TestFillRefusesNamesThatAreTaken(t *testing.T) {
	f := fillSmall(t)
	_, err := Fill(t.Context(), f.store, f.issuer, nil, Options{Users: 80, Seed: 4, Region: "us-east-1"})
	if err == nil || !strings.Contains(err.Error(), "seed an empty store, or give another --seed") {
		t.Errorf("a second time gives %v", err)
	}
	done := 0
	other, err := Fill(t.Context(), f.store, f.issuer, nil, Options{Users: 3, Seed: 99, Region: "us-east-1", Progress: func(d, total int) {
		if done++; d != done || total != 3 {
			t.Errorf("progress %d of %d after %d", d, total, done)
		}
	}})
	if err != nil || other.Users != 3 || done != 3 {
		t.Errorf("another network beside the first: %+v, %v, progress %d", other, err, done)
	}
}

// Some posts are images that can be read in all sizes, and people have photos.
func TestSomePostsAreImages(t *testing.T) {
	s, _ := storetest.Open(t)
	h, err := host.New(t.Context(), host.Config{
		DB: s.DB, Holder: "test", Now: time.Now, NewID: uuid.NewString, Random: rand.Reader,
		Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
		Log:    slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	}, app.System(app.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	report, err := System(t.Context(), h, Options{Users: 4, Seed: 4, Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	images, photos := 0, 0
	for _, p := range invent(4, 4, "us-east-1").people {
		posts := all(t, func(q page.Query) (page.Page[*social.Post], error) {
			return s.Posts.ByUser(t.Context(), p.id, social.PostCompleted, q)
		})
		for _, post := range posts {
			if post.Type != social.ImagePost {
				continue
			}
			images++
			facts, err := s.Posts.Facts(t.Context(), p.id, []social.PostID{post.PostID}, social.PostImageRow)
			if about := facts[post.PostID].Image; err != nil || about == nil || about.Width != paintedWidth || len(about.Colors) != 5 {
				t.Errorf("image %+v, %v", about, err)
			}
			if first, err := s.Posts.FirstWith(t.Context(), post.Checksum, post.PostedAt.Add(time.Microsecond)); err != nil || first != post.PostID {
				t.Errorf("the first post with the image of %s is %q, %v", post.PostID, first, err)
			}
			if _, err := h.Media.Files.Head(t.Context(), social.PostImageFiles(p.id, post.PostID)+"/64p.jpg"); err != nil {
				t.Errorf("thumbnail of %s: %v", post.PostID, err)
			}
		}
		u, err := s.Users.Profile(t.Context(), p.id)
		if err != nil {
			t.Fatal(err)
		}
		if u.PhotoPostID != "" {
			photos++
			if _, err := h.Media.Files.Head(t.Context(), social.PhotoFiles(p.id, u.PhotoPostID)+"/64p.jpg"); err != nil {
				t.Errorf("photo of %s: %v", u.Username, err)
			}
		}
	}
	if images == 0 || photos == 0 || !strings.Contains(report, fmt.Sprintf("(%d with an image)", images)) {
		t.Errorf("%d images, %d photos; report %s", images, photos, report)
	}
}
