package resolvers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkOperations measures whole requests without sockets, from the body's bytes
// to the answer's, over the engine in a directory of the test. The documents are those
// of package bench.
func BenchmarkOperations(b *testing.B) {
	w := newWorld(b)
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
				r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
				if err != nil {
					b.Fatal(err)
				}
				r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"ana"}}
				answer := counted{header: http.Header{}}
				w.handler.ServeHTTP(&answer, r)
				if answer.status != http.StatusOK || answer.bytes < 150 {
					b.Fatalf("status %d, %d bytes", answer.status, answer.bytes)
				}
			}
		})
	}
}

// counted is an answer of which only the length is kept.
type counted struct {
	header        http.Header
	status, bytes int
}

func (c *counted) Header() http.Header    { return c.header }
func (c *counted) WriteHeader(status int) { c.status = status }
func (c *counted) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return len(p), nil
}
