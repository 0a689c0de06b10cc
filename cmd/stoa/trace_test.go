package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exportedSpan is a span as the console exporter writes it.
type exportedSpan struct {
	TraceID, SpanID, ParentSpanID, Name string
	StartTimeUnixNano                   string
}

// spansOf reads what a server has exported to a file.
func spansOf(t *testing.T, file string) (all []exportedSpan) {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			ResourceSpans []struct {
				ScopeSpans []struct{ Spans []exportedSpan }
			}
		}
		if !strings.HasPrefix(lines.Text(), "{") { // what the server announces
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		for _, r := range line.ResourceSpans {
			for _, s := range r.ScopeSpans {
				all = append(all, s.Spans...)
			}
		}
	}
	return all
}

// draw returns a trace as a tree.
func draw(spans []exportedSpan, parent, indent string) string {
	var tree strings.Builder
	slices.SortStableFunc(spans, func(a, b exportedSpan) int { return strings.Compare(a.StartTimeUnixNano, b.StartTimeUnixNano) })
	for _, s := range spans {
		if s.ParentSpanID == parent {
			fmt.Fprintf(&tree, "%s%s\n%s", indent, s.Name, draw(slices.Clone(spans), s.SpanID, indent+"  "))
		}
	}
	return tree.String()
}

// One trace leads from a mutation to the feed of a follower, and the lines of the log name it.
func TestTraceFromAPostToTheFeedOfAFollower(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spans.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	log := &lockedBuffer{}
	env := map[string]string{"OTEL_TRACES_EXPORTER": "console", "OTEL_SERVICE_NAME": "app"}
	serving, ended := make(chan string, 1), make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	m := Main{
		Stdout: out, Stderr: log, OnServing: func(url string) { serving <- url },
		LookupEnv: func(name string) (string, bool) { value, ok := env[name]; return value, ok },
	}
	go func() {
		ended <- m.Run(ctx, "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--trusted-proxies", "127.0.0.1")
	}()
	var url string
	select {
	case url = <-serving:
	case err := <-ended:
		t.Fatal(err)
	}
	ana, ben := signUp(t, url, "ana"), signUp(t, url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	const traceID = "0102030405060708090a0b0c0d0e0f10"
	request, err := http.NewRequest(http.MethodPost, url+"/graphql", strings.NewReader(
		`{"query":"mutation Say { addPost(postId: \"p\", postType: TEXT_ONLY, text: \"hello @ben\") { postId postedBy { username } } }"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", ana.token)
	request.Header.Set("Traceparent", "00-"+traceID+"-0102030405060708-01")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || strings.Contains(string(body), "errors") {
		t.Fatalf("%s, error %v", body, err)
	}
	if feed := ben.feed(); len(feed) != 1 {
		t.Fatalf("ben's feed is %q", feed)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	spans := spansOf(t, file)
	others := len(spans)
	spans = slices.DeleteFunc(spans, func(s exportedSpan) bool { return s.TraceID != traceID })
	tree := draw(spans, "0102030405060708", "")
	t.Logf("\n%s", tree)
	if n := strings.Count(tree, "\n"); n != len(spans) {
		t.Errorf("%d of %d spans hang together", n, len(spans))
	}
	if others == len(spans) {
		t.Error("other requests are not traced")
	}
	for _, path := range [][]string{
		{"POST /graphql", "mutation addPost", "Mutation addPost", "TransactWriteItems several"},
		{"POST /graphql", "mutation addPost", "Mutation addPost", "deliver post.moved", "receive feed.", "BatchWriteItem stoa-feed"},
	} {
		if !leads(spans, "0102030405060708", path) {
			t.Errorf("no steps lead to %q", path)
		}
	}
	if !strings.Contains(log.String(), `"trace_id":"`+traceID+`"`) {
		t.Errorf("the log does not name the trace:\n%s", log)
	}
}

// leads reports whether spans with these names, or beginnings of names, follow each other.
func leads(spans []exportedSpan, parent string, names []string) bool {
	return len(names) == 0 || slices.ContainsFunc(spans, func(s exportedSpan) bool {
		return s.ParentSpanID == parent && strings.HasPrefix(s.Name, names[0]) && leads(spans, s.SpanID, names[1:])
	})
}
