package trending_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
	"stoa/social/trending"
	"stoa/store"
)

const (
	posts = `{ trendingPosts { items { postId } nextToken } }`
	users = `{ trendingUsers { items { username } nextToken } }`
)

// posts 24.28: the highest score comes first, without reposts and what is not completed.
func TestTrendingPosts(t *testing.T) {
	given := Users("ana", "ben", "cem").Post("ana", "p1").Post("ana", "p2").Post("ben", "p3")
	none := []Scenario{{As: "ana", Query: users, Want: `{"trendingUsers":{"items":[],"nextToken":null}}`}}
	listed := func(ids string) string { return `{"trendingPosts":{"items":[` + ids + `],"nextToken":null}}` }
	const p1, p2, p3 = `{"postId":"p1"}`, `{"postId":"p2"}`, `{"postId":"p3"}`
	RunStaffed(t, []Scenario{
		{Name: "nothing", Given: Users("ana"), As: "ana", Query: posts, Want: listed(""), Then: none},
		{Name: "newest of equals first", Given: given, As: "ana", Query: posts, Want: listed(p3 + "," + p2 + "," + p1), Then: none},
		{Name: "a first view by somebody else lifts", Given: given.ViewPost("ben", "p1"), As: "cem", Query: posts, Want: listed(p1 + "," + p3 + "," + p2),
			Then: []Scenario{{As: "cem", Query: users, Want: `{"trendingUsers":{"items":[{"username":"ana"}],"nextToken":null}}`}}},
		{Name: "one's own view does not", Given: given.ViewPost("ana", "p1"), As: "cem", Query: posts, Want: listed(p3 + "," + p2 + "," + p1), Then: none},
		{
			Name:  "repeated views do not",
			Given: given.ViewPost("ben", "p1").ViewPost("cem", "p2").ViewPost("ben", "p1").ViewPost("ben", "p1"),
			As:    "cem",
			Query: posts,
			Want:  listed(p2 + "," + p1 + "," + p3),
		},
		{
			Name:  "focus and thumbnail by one beat two thumbnails",
			Given: given.FocusPost("ben", "p1").ViewPost("ben", "p1").ViewPost("ben", "p2").ViewPost("cem", "p2"),
			As:    "cem",
			Query: posts,
			Want:  listed(p1 + "," + p2 + "," + p3),
		},
		{Name: "archived", Given: given.Archive("ben", "p3"), As: "ana", Query: posts, Want: listed(p2 + "," + p1)},
		{
			Name:  "restored",
			Given: given.Archive("ben", "p3").Does("ben", `mutation { restoreArchivedPost(postId: "p3") { postId } }`),
			As:    "ana",
			Query: posts,
			Want:  listed(p2 + "," + p1),
			Then: []Scenario{
				{As: "cem", Query: `mutation { reportPostViews(postIds: ["p3"]) }`, Adds: true},
				{As: "ana", Query: posts, Want: listed(p3 + "," + p2 + "," + p1)},
			},
		},
		{
			Name:  "deleted",
			Given: given,
			As:    "ben",
			Query: `mutation { deletePost(postId: "p3") { postId } }`,
			Then:  []Scenario{{As: "ana", Query: posts, Want: listed(p2 + "," + p1)}},
		},
		{
			Name:  "forced away",
			Given: given.And(Users("mod")...),
			As:    "mod",
			Query: `mutation { flagPost(postId: "p3") { postId } }`,
			Then:  []Scenario{{As: "ana", Query: posts, Want: listed(p2 + "," + p1)}},
		},
		{Name: "of private users", Given: given.Follow("cem", "ana").Details("ana", `privacyStatus: PRIVATE`), As: "ben", Query: posts, Want: listed(p3),
			Then: []Scenario{{As: "cem", Query: posts, Want: listed(p3 + "," + p2 + "," + p1)}}},
		{Name: "of those who block", Given: given.Block("ana", "ben"), As: "ben", Query: posts, Want: listed(p3)},
		{Name: "users B10 of whom everybody follows",
			Given: given.And(Users("hub")...).Post("hub", "r1").ViewPost("ben", "r1"), As: "ben", Query: posts, Want: listed(p3 + "," + p2 + "," + p1), Then: none},
		{
			Name:  "that were viewed",
			Given: given.ViewPost("cem", "p2"),
			As:    "cem",
			Query: `{ trendingPosts { items(viewedStatus: VIEWED) { postId } } }`,
			Want:  `{"trendingPosts":{"items":[` + p2 + `]}}`,
		},
		{Name: "older than a day", Given: given, Later: 25 * time.Hour, As: "cem", Query: `mutation { reportPostViews(postIds: ["p1"]) }`, Adds: true,
			Then: []Scenario{{As: "ana", Query: posts, Want: listed(p3 + "," + p2 + "," + p1), Then: none}}},
		{Name: "of a bad size", Given: given, As: "ana", Query: `{ trendingPosts(limit: 0) { nextToken } }`, Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
		{
			Name:  "users of a bad size",
			Given: given,
			As:    "ana",
			Query: `{ trendingUsers(limit: 101) { nextToken } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100",
		},
	})
}

// With equal points, posts that were viewed later rank higher. users R1 users R3 users R9
func TestTrendingUsers(t *testing.T) {
	given := Users("ana", "ben", "cem").Post("ana", "p1").Post("ben", "p2").ViewPost("cem", "p1").ViewPost("cem", "p2")
	Run(t, []Scenario{
		{Name: "the later view scores higher", Given: given, As: "cem", Query: users, Want: `{"trendingUsers":{"items":[{"username":"ben"},{"username":"ana"}],"nextToken":null}}`},
		{Name: "private users are in it, those who block are not", Given: given.Details("ana", `privacyStatus: PRIVATE`).Block("ben", "cem"), As: "cem", Query: users,
			Want: `{"trendingUsers":{"items":[{"username":"ana"}],"nextToken":null}}`},
		{Name: "users R2 views of a copy are the original's",
			Given: Users("ana", "ben", "cem").Image("ana", "p1", 160, 120).Image("ben", "p2", 160, 120).ViewPost("cem", "p2"), As: "cem", Query: users,
			Want: `{"trendingUsers":{"items":[{"username":"ana"}],"nextToken":null}}`},
		{
			Name:  "users R2 but for those of its owner",
			Given: Users("ana", "ben").Image("ana", "p1", 160, 120).Image("ben", "p2", 160, 120).ViewPost("ana", "p2"),
			As:    "ana",
			Query: users,
			Want:  `{"trendingUsers":{"items":[],"nextToken":null}}`,
		},
		{Name: "users R8 archiving lowers nobody",
			Given: given.Archive("ben", "p2"), As: "cem", Query: users, Want: `{"trendingUsers":{"items":[{"username":"ben"},{"username":"ana"}],"nextToken":null}}`},
		{Name: "users R8 those who leave are out", Given: given, As: "ben", Query: `mutation { deleteUser { userId } }`, Then: []Scenario{
			{As: "cem", Query: users, Want: `{"trendingUsers":{"items":[{"username":"ana"}],"nextToken":null}}`},
			{As: "cem", Query: posts, Want: `{"trendingPosts":{"items":[{"postId":"p1"}],"nextToken":null}}`},
		}},
	})
}

// Trends are halved once a day. users R6
func TestDeflation(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1").ViewPost("ben", "p1"), func(w *World) {
		post, user := score(w, "post/p1"), score(w, "user/{ana}")
		w.RunJob("social.deflate-trends")
		if score(w, "post/p1") != post {
			w.T.Error("halved on the first day")
		}
		w.Advance(24 * time.Hour)
		for range 2 {
			w.RunJob("social.deflate-trends")
			if p, u := score(w, "post/p1"), score(w, "user/{ana}"); !near(p, post/2) || !near(u, user/2) {
				w.T.Errorf("the scores %v and %v became %v and %v", post, user, p, u)
			}
		}
	})
}

// A trend that grows while it is halved is halved from its new score. users R5 users R6
func TestDeflationMeetsAView(t *testing.T) {
	Test(t, Users("ana", "ben", "cem").Post("ana", "p1").ViewPost("ben", "p1"), func(w *World) {
		w.Advance(13 * time.Hour)
		w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Must("cem", `mutation { reportPostViews(postIds: ["p1"]) }`) }))
		w.RunJob("social.deflate-trends")
		item := w.Get(store.Main.Name, "post/p1", "trending")
		w.RunJob("social.deflate-trends")
		if again := w.Get(store.Main.Name, "post/p1", "trending"); again["gsiA4SortKey"] != item["gsiA4SortKey"] {
			w.T.Errorf("halved twice: %v and then %v", item, again)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// Concurrent views of a post all add to its score and to its owner's.
func TestViewsAtOnceEarnAll(t *testing.T) {
	const crowd = 24
	names := []string{"ana"}
	for i := range crowd {
		names = append(names, fmt.Sprint("fan", i))
	}
	Test(t, Users(names...).Post("ana", "p1"), func(w *World) {
		before := score(w, "post/p1")
		var refused atomic.Int64
		w.Together(crowd, func(i int) {
			if a := w.Ask(names[i+1], `mutation { reportPostViews(postIds: ["p1"]) }`); len(a.Errors) > 0 {
				refused.Add(1)
			}
		})
		w.Settle()
		if n := refused.Load(); n > 0 {
			w.T.Errorf("%d views were refused", n)
		}
		// Posts viewed at about the same time earn about the same, and so does a new post.
		if p, u := score(w, "post/p1"), score(w, "user/{ana}"); !near(p, before*(crowd+1)) || !near(u, before*crowd) {
			w.T.Errorf("%d views of a post with %v make %v, and %v for its owner", crowd, before, p, u)
		}
	})
}

// A view adds to a trend that others change between its read and its write, at the first
// attempt.
func TestViewsDoNotContend(t *testing.T) {
	const viewP1 = `mutation { reportPostViews(postIds: ["p1"]) }`
	Test(t, Users("ana", "ben", "cem", "dee").Post("ana", "p1").ViewPost("ben", "p1"), func(w *World) {
		before := score(w, "post/p1")
		w.Client.Reset()
		w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Must("cem", viewP1) }))
		w.Must("dee", viewP1)
		if n := w.Client.Count("TransactWriteItems"); n != 2 {
			w.T.Errorf("two views took %d transactions", n)
		}
		if p := score(w, "post/p1"); !near(p, before*2) {
			w.T.Errorf("the score %v became %v", before, p)
		}
	})
}

// After three conflicts with deflations, a view loses its points, but is recorded without
// an error. users R5
func TestPointsAreLostBeforeViews(t *testing.T) {
	for _, c := range []struct {
		races int
		lost  bool
	}{{2, false}, {3, true}} {
		Test(t, Users("ana", "ben", "cem").Post("ana", "p1").ViewPost("ben", "p1"), func(w *World) {
			before := score(w, "post/p1")
			w.Client.Reset()
			for n := range c.races {
				w.Client.Arm(faultdb.Before("TransactWriteItems", n+1, func() {
					item := w.Get(store.Main.Name, "post/p1", "trending")
					item["lastDeflatedAt"] = fmt.Sprintf("2026-01-01T12:00:00.%06dZ", n+1)
					w.Put(store.Main.Name, item)
				}))
			}
			w.Must("cem", `mutation { reportPostViews(postIds: ["p1"]) }`)
			if lost := score(w, "post/p1") == before; lost != c.lost {
				w.T.Errorf("after %d lost races the points are lost: %v", c.races, lost)
			}
			if n, _ := w.Get(store.Main.Name, "post/p1", "-")["viewedByCount"].(float64); n != 2 {
				w.T.Errorf("the post has %v viewers", n)
			}
		})
	}
}

func score(w *World, pk string) float64 {
	n, _ := w.Get(store.Main.Name, pk, "trending")["gsiA4SortKey"].(float64)
	return n
}

// near allows for the milliseconds that pass between requests.
func near(a, b float64) bool { return math.Abs(a-b) < b/1000 }

// crowded is a store that reports more trends of users than there are.
type crowded struct {
	trending.Store
	more int
}

func (c crowded) DeflateUsers(ctx context.Context, now time.Time) (int, error) {
	n, err := c.Store.DeflateUsers(ctx, now)
	return n + c.more, err
}

// users R7: beyond the limit, trends with low scores are removed, lowest first.
func TestTheTailIsCut(t *testing.T) {
	for _, c := range []struct {
		more int
		want string
	}{
		{9996, `{"username":"ana"},{"username":"ben"},{"username":"cem"},{"username":"dan"}`},
		{9998, `{"username":"ana"},{"username":"ben"}`},
		{20000, `{"username":"ana"}`},
	} {
		Test(t, Users("ana", "ben", "cem", "dan").Trend("ana", 0.5).Trend("ben", 0.49).Trend("cem", 0.3).Trend("dan", 0.2), func(w *World) {
			s := trending.Service{Store: crowded{store.Open(w.DB).Trends, c.more}, Most: 10_000}
			if err := s.Deflate(w.T.Context(), w.Now()); err != nil {
				w.T.Fatal(err)
			}
			w.Compare(users, w.Must("ana", users).Data, `{"trendingUsers":{"items":[`+c.want+`],"nextToken":null}}`)
		})
	}
}
