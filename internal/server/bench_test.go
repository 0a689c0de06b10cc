package server_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/viewer"
	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

const (
	tinyQuery = `{"query":"query Profile($name: String!) {\n  viewer { userId version }\n  greeting(name: $name)\n}","operationName":"Profile","variables":{"name":"ben"}}`
	pageQuery = `{"query":"query Page($limit: Int) {\n  items(limit: $limit) { itemId text likeCount liked author { userId } }\n}","operationName":"Page","variables":{"limit":20}}`
)

// BenchmarkServer measures the overhead per request, without sockets, compared with
// gqlgen's own handler with a document cache over the same graph.
func BenchmarkServer(b *testing.B) {
	graph := testgraph.New()
	config := server.Config{Systems: []server.System{{Name: "test", Path: "/graphql", Schema: graph.Schema(), OperationContext: testgraph.WithLoads}}, Authenticator: tokens{}}
	ours, err := server.New(config)
	if err != nil {
		b.Fatal(err)
	}
	theirs := handler.New(graph.Schema())
	theirs.AddTransport(transport.POST{})
	theirs.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	peer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		theirs.ServeHTTP(w, r.WithContext(viewer.With(r.Context(), viewer.Viewer{UserID: ana})))
	})
	for _, query := range []struct{ name, body string }{{"tiny", tinyQuery}, {"page", pageQuery}} {
		for _, h := range []struct {
			name    string
			handler http.Handler
		}{{"server", ours}, {"gqlgen", peer}} {
			b.Run(query.name+"/"+h.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					serveOnce(b, h.handler, query.body)
				}
			})
		}
	}
}

func serveOnce(b *testing.B, h http.Handler, body string) {
	r, _ := http.NewRequestWithContext(context.Background(), "POST", "/graphql", strings.NewReader(body))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"ana"}, "Accept": {"*/*"}}
	w := &sink{header: http.Header{}}
	h.ServeHTTP(w, r)
	if w.status != 200 && w.status != 0 || w.written < 50 {
		b.Fatalf("status %d, %d bytes", w.status, w.written)
	}
}

// sink is a response writer that only counts bytes.
type sink struct {
	header          http.Header
	status, written int
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(n int)   { s.status = n }
func (s *sink) Write(p []byte) (int, error) {
	s.written += len(p)
	return len(p), nil
}

// BenchmarkSocket measures a whole request over a loopback connection, including the
// client.
func BenchmarkSocket(b *testing.B) {
	graph := testgraph.New()
	s, err := server.New(
		server.Config{Systems: []server.System{{Name: "test", Path: "/graphql", Schema: graph.Schema(), OperationContext: testgraph.WithLoads}}, Authenticator: tokens{}},
	)
	if err != nil {
		b.Fatal(err)
	}
	web := httptest.NewServer(s)
	defer web.Close()
	b.ReportAllocs()
	for b.Loop() {
		r, _ := http.NewRequest("POST", web.URL+"/graphql", strings.NewReader(tinyQuery))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"ana"}}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}
