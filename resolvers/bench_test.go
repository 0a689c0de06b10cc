package resolvers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkOperations measures whole requests without sockets, from the request body to the
// response, with the in-memory engine. As in production, calls are timed and operations
// logged. The documents are those of package bench.
func BenchmarkOperations(b *testing.B) {
	w := apptest.Bench(b, System)
	w.Do(befriended(30)...)
	for i := range 30 {
		w.Do(Given{}.Comment(fmt.Sprintf("friend%02d", i), "post00", fmt.Sprintf("comment%02d", i))...)
	}
	for _, o := range hotQueries {
		body, err := json.Marshal(map[string]string{"query": o.query})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				serve(b, w, body, 150)
			}
		})
	}
}

// hotQueries are those that apps send most, with the allocations that they may make.
var hotQueries = []struct {
	name, query string
	allocations float64
}{
	{"profile", `query W1 { self { userId username fullName bio themeCode followersCount followedsCount postCount } }`, 90},
	{"feed", `query W2 { self { feed(limit: 20) { items { postId text postedAt onymousLikeCount commentsCount likeStatus postedBy { userId username } } } } }`, 630},
	{"post", `query W3 { post(postId: "post00") { postId text postedAt onymousLikeCount commentsCount likeStatus postedBy { userId username } ` +
		`comments(limit: 20) { items { commentId text commentedAt commentedBy { userId username } } } } }`, 590},
}

// What a request allocates is the same on any machine, unlike its time, so it is what a test can
// keep. Pools that the garbage collector empties make the difference to the limits.
func TestAllocationsOfHotPaths(t *testing.T) {
	w := apptest.Bench(t, System)
	w.Do(befriended(30)...)
	for i := range 30 {
		w.Do(Given{}.Comment(fmt.Sprintf("friend%02d", i), "post00", fmt.Sprintf("comment%02d", i))...)
	}
	for _, o := range hotQueries {
		body, err := json.Marshal(map[string]string{"query": o.query})
		if err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(200, func() { serve(t, w, body, 150) })
		t.Logf("%s: %v allocations", o.name, n)
		if n > o.allocations {
			t.Errorf("%s: %v allocations, want at most %v", o.name, n, o.allocations)
		}
	}
	comment := 0
	n := testing.AllocsPerRun(200, func() {
		body := commentBody(nil, comment)
		comment++
		w.Advance(time.Millisecond)
		serve(t, w, body, 100)
	})
	t.Logf("comment: %v allocations", n)
	if n > commentAllocations {
		t.Errorf("comment: %v allocations, want at most %v", n, commentAllocations)
	}
}

// commentAllocations is the limit for the mutation of commentBody.
const commentAllocations = 290

// commentBody appends a request for a comment, each on the post of another friend of thirty.
func commentBody(body []byte, n int) []byte {
	const mutation = `mutation W5($c: ID!, $p: ID!, $t: String!) { addComment(commentId: $c, postId: $p, text: $t) { commentId commentedAt commentedBy { userId username } } }`
	return fmt.Appendf(body, `{"operationName":"W5","query":%q,"variables":{"c":"comment-%d","p":"post%02d","t":"what a fine day for a comment"}}`,
		mutation, n, n%30)
}

// BenchmarkAddComment measures the mutation in the same way, on posts of many followed
// users. There are too few of them not to become hot, and wait for more comments.
func BenchmarkAddComment(b *testing.B) {
	w := apptest.Bench(b, With(func(o *app.Options) { o.HotFrom = math.MaxInt }))
	w.Do(befriended(30)...)
	var body []byte
	comment := 0
	b.ReportAllocs()
	for b.Loop() {
		body = commentBody(body[:0], comment)
		comment++
		w.Advance(time.Millisecond)
		serve(b, w, body, 100)
	}
}

// befriended returns a world in which ana follows friends with one post each.
func befriended(friends int) Given {
	g := Users("ana")
	for i := range friends {
		friend := fmt.Sprintf("friend%02d", i)
		g = g.Users(friend).Follow("ana", friend).Post(friend, fmt.Sprintf("post%02d", i))
	}
	return g
}

// serve sends a request of ana. The response must be correct and have a minimum length.
func serve(b testing.TB, w *World, body []byte, atLeast int) {
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"ana"}}
	answer := counted{header: http.Header{}}
	w.Handler.ServeHTTP(&answer, r)
	if answer.status != http.StatusOK || answer.bytes < atLeast || answer.failed {
		b.Fatalf("status %d, %d bytes, failed %t", answer.status, answer.bytes, answer.failed)
	}
}

// counted is a response writer that keeps only the length, and whether there are errors.
type counted struct {
	header        http.Header
	status, bytes int
	failed        bool
}

func (c *counted) Header() http.Header    { return c.header }
func (c *counted) Flush()                 {}
func (c *counted) WriteHeader(status int) { c.status = status }
func (c *counted) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.failed = c.failed || bytes.Contains(p, []byte(`"errors":`))
	return len(p), nil
}
