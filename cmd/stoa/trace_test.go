package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// exportedSpan is a span as the console exporter writes it.
type exportedSpan struct {
	TraceID, SpanID, ParentSpanID, Name string
	StartTimeUnixNano                   string
}

// spansOf reads what a server has printed.
func spansOf(t *testing.T, text io.Reader) (all []exportedSpan) {
	t.Helper()
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

// postTraced posts as a step of a trace.
func (p *person) postTraced(traceID string) {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.url+"/graphql", strings.NewReader(
		`{"query":"mutation Say { addPost(postId: \"p\", postType: TEXT_ONLY, text: \"hello @ben\") { postId postedBy { username } } }"}`))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", p.token)
	request.Header.Set("Traceparent", "00-"+traceID+"-0102030405060708-01")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || strings.Contains(string(body), "errors") {
		p.t.Fatalf("%s, error %v", body, err)
	}
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
	var address string
	select {
	case address = <-serving:
	case err := <-ended:
		t.Fatal(err)
	}
	ana, ben := signUp(t, address, "ana"), signUp(t, address, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	const traceID = "0102030405060708090a0b0c0d0e0f10"
	ana.postTraced(traceID)
	if feed := ben.feed(); len(feed) != 1 {
		t.Fatalf("ben's feed is %q", feed)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	printed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	spans := spansOf(t, printed)
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

// The trace of a mutation continues in the process that fills the feed of a follower, if the one
// that answered the mutation cannot.
func TestTraceInTwoProcesses(t *testing.T) {
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("OTEL_TRACES_EXPORTER", "console")
	tables, bus := startDynamoDB(t), startNATS(t)
	if out, err := run(t, "tables", "apply", "--store", tables); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Feeds are what is written in batches. No batch of the first process arrives.
	target, err := url.Parse(tables)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	withoutBatches := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchWriteItem") {
			http.Error(w, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"not here"}`, http.StatusInternalServerError)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(withoutBatches.Close)
	one := startProcess(t, "--store", withoutBatches.URL, "--bus", bus, "--trusted-proxies", "127.0.0.1")
	two := startProcess(t, "--store", tables, "--bus", bus)

	ana, ben := signUp(t, one.url, "ana"), signUp(t, two.url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	const traceID = "0102030405060708090a0b0c0d0e0f10"
	ana.postTraced(traceID)
	one.end(syscall.SIGTERM)
	for giveUp := time.Now().Add(patience); len(ben.feed()) == 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(giveUp) {
			t.Fatalf("ben's feed stays empty\n%s", two.log)
		}
	}
	two.end(syscall.SIGTERM)

	ofTrace := func(p *process) []exportedSpan {
		return slices.DeleteFunc(spansOf(t, strings.NewReader(p.out.String())), func(s exportedSpan) bool { return s.TraceID != traceID })
	}
	caused, delivered := ofTrace(one), ofTrace(two)
	if feed := "BatchWriteItem stoa-feed"; !slices.ContainsFunc(delivered, func(s exportedSpan) bool { return s.Name == feed }) {
		t.Errorf("the second process has no %s in the trace:\n%s", feed, delivered)
	}
	if path := []string{"POST /graphql", "mutation addPost"}; !leads(caused, "0102030405060708", path) {
		t.Errorf("no steps of the first process lead to %q", path)
	}
	if path := []string{"POST /graphql", "mutation addPost", "Mutation addPost", "deliver post.moved", "receive feed.", "BatchWriteItem stoa-feed"}; !leads(
		slices.Concat(caused, delivered), "0102030405060708", path) {
		t.Errorf("no steps of both lead to %q:\n%s", path, draw(slices.Concat(caused, delivered), "0102030405060708", ""))
	}
	for _, s := range delivered {
		if slices.ContainsFunc(caused, func(c exportedSpan) bool { return c.SpanID == s.SpanID }) {
			t.Errorf("both export %s", s.Name)
		}
	}
}
