package resolvers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/telemetry"
	"stoa/social/app"
	"stoa/store"
	"stoa/store/storetest"
)

// BenchmarkOperations measures whole requests without sockets, from the body's bytes
// to the answer's, over the engine in memory. Calls are timed and operations logged as
// they are when serving. The documents are those of package bench.
func BenchmarkOperations(b *testing.B) {
	w := measuredWorld(b)
	users("ana")(w)
	for i := range 30 {
		friend := fmt.Sprintf("friend%02d", i)
		users(friend)(w)
		follows("ana", friend)(w)
		posts(friend, fmt.Sprintf("post%02d", i))(w)
	}
	for i := range 30 {
		comments(fmt.Sprintf("friend%02d", i), "post00", fmt.Sprintf("comment%02d", i))(w)
	}
	for _, o := range []struct{ name, query string }{
		{"profile", `query W1 { self { userId username fullName bio themeCode followersCount followedsCount postCount } }`},
		{"feed", `query W2 { self { feed(limit: 20) { items { postId text postedAt onymousLikeCount commentsCount likeStatus postedBy { userId username } } } } }`},
		{"post", `query W3 { post(postId: "post00") { postId text postedAt onymousLikeCount commentsCount likeStatus postedBy { userId username } comments(limit: 20) { items { commentId text commentedAt commentedBy { userId username } } } } }`},
	} {
		body, err := json.Marshal(map[string]string{"query": o.query})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.serve(b, body, 150)
			}
		})
	}
}

// BenchmarkAddComment measures the mutation as BenchmarkOperations measures queries:
// on posts of many users who are followed.
func BenchmarkAddComment(b *testing.B) {
	w := measuredWorld(b)
	users("ana")(w)
	const friends = 30
	for i := range friends {
		friend := fmt.Sprintf("friend%02d", i)
		users(friend)(w)
		follows("ana", friend)(w)
		posts(friend, fmt.Sprintf("post%02d", i))(w)
	}
	const mutation = `mutation W5($c: ID!, $p: ID!, $t: String!) { addComment(commentId: $c, postId: $p, text: $t) { commentId commentedAt commentedBy { userId username } } }`
	var body []byte
	comment := 0
	b.ReportAllocs()
	for b.Loop() {
		body = fmt.Appendf(body[:0], `{"operationName":"W5","query":%q,"variables":{"c":"comment-%d","p":"post%02d","t":"what a fine day for a comment"}}`,
			mutation, comment, comment%friends)
		comment++
		w.now = w.now.Add(time.Millisecond)
		w.serve(b, body, 100)
	}
}

// measuredWorld is a world in which everything is measured and logged.
func measuredWorld(b *testing.B) *world {
	b.Helper()
	eng, err := engine.OpenMemory()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := eng.Close(); err != nil {
			b.Error(err)
		}
	})
	registry := prometheus.NewRegistry()
	db := keyspec.Open(dynamo.NewFromIface(telemetry.Measure(eng, registry)), storetest.Prefix, host.Tables(app.System(app.Options{}))...)
	if err := db.CreateTables(b.Context()); err != nil {
		b.Fatal(err)
	}
	return worldOn(b, store.Open(db), nil, slog.New(slog.NewJSONHandler(io.Discard, nil)), registry)
}

// serve sends a request of ana, whose answer must be right and of some length.
func (w *world) serve(b *testing.B, body []byte, atLeast int) {
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"ana"}}
	answer := counted{header: http.Header{}}
	w.handler.ServeHTTP(&answer, r)
	if answer.status != http.StatusOK || answer.bytes < atLeast || answer.failed {
		b.Fatalf("status %d, %d bytes, failed %t", answer.status, answer.bytes, answer.failed)
	}
}

// counted is an answer of which only the length is kept, and whether it has errors.
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
