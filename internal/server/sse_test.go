package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

// eventReader reads the lines of an event stream.
type eventReader struct {
	t        *testing.T
	response *http.Response
	lines    *bufio.Reader
}

func openStream(t *testing.T, client *http.Client, r *http.Request) *eventReader {
	t.Helper()
	r.Header.Set("Accept", "text/event-stream")
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return &eventReader{t, response, bufio.NewReader(response.Body)}
}

// block reads up to the next blank line; it is empty at the end of the stream.
func (e *eventReader) block() string {
	var block strings.Builder
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil || line == "\n" {
			return block.String()
		}
		block.WriteString(line)
	}
}

func (e *eventReader) expect(blocks ...string) {
	e.t.Helper()
	for _, want := range blocks {
		if got := e.block(); got != want {
			e.t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

const (
	alive    = ":\n"
	finished = "event: complete\ndata:\n"
)

// realtime 11#1-7: requests, headers and frames of an event stream.
func TestEventStreams(t *testing.T) {
	s := newService(t, nil)
	target := s.listen(t) + "/graphql"
	next := func(result string) string { return "event: next\ndata: " + result + "\n" }
	for _, test := range []struct {
		name, query string
		blocks      []string
	}{
		{"query", `{greeting(name:"ben")}`, []string{alive, next(`{"data":{"greeting":"Hello ben"}}`), finished}},
		{"validation error", `{nope}`, []string{alive, next(`{"errors":[{"message":"Validation error of type FieldUndefined: Cannot query field \"nope\" on type ` +
			`\"Query\".","errorType":"ValidationError","errorInfo":null,"data":null,"path":null,"locations":[{"line":1,"column":2,"sourceName":null}],` +
			`"extensions":{"code":"GRAPHQL_VALIDATION_FAILED","errorType":"ValidationError","errorInfo":null}}]}`), finished}},
		{"foreign user", `subscription{onTick(userId:"x"){number}}`, []string{alive, next(`{"errors":[{"message":"ClientError: Cannot subscribe to notifications intended for ` +
			`another user","errorType":"ClientError","errorInfo":null,"data":null,"path":["onTick"],"locations":[{"line":1,"column":14,"sourceName":null}],` +
			`"extensions":{"code":"FORBIDDEN","errorType":"ClientError","errorInfo":null}}]}`), finished}},
	} {
		body, _ := json.Marshal(map[string]string{"query": test.query})
		for _, r := range []*http.Request{
			call(t, "POST", target, string(body)),
			call(t, "GET", target+"?query="+url.QueryEscape(test.query), ""),
		} {
			t.Run(test.name+" by "+r.Method, func(t *testing.T) {
				stream := openStream(t, http.DefaultClient, r)
				if stream.response.StatusCode != 200 {
					t.Errorf("status %d", stream.response.StatusCode)
				}
				for name, want := range map[string]string{
					"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache", "X-Accel-Buffering": "no",
				} {
					if got := stream.response.Header.Get(name); got != want {
						t.Errorf("%s is %q, want %q", name, got, want)
					}
				}
				stream.expect(test.blocks...)
				stream.expect("")
			})
		}
	}
}

// Forbidden starts of streams do not count towards the rate limit either, and those beyond it
// end a little later.
func TestForbiddenStreamsDoNotCount(t *testing.T) {
	limited := func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 2, Every: time.Hour} }
	inMemory(t, limited, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		client := net.client()
		post := func(query, accept string) *http.Response {
			response, err := client.Do(call(t, "POST", "http://stoa.test/graphql", document(t, query, nil), "Accept", accept))
			if err != nil {
				t.Fatal(err)
			}
			return response
		}
		for i, wait := range []time.Duration{0, 0, 100 * time.Millisecond, 100 * time.Millisecond} {
			began := time.Now()
			response := post(`subscription{onTick(userId:"other"){number}}`, "text/event-stream")
			text, err := io.ReadAll(response.Body)
			if response.StatusCode != 200 || !strings.Contains(string(text), "FORBIDDEN") || err != nil {
				t.Fatalf("a foreign start is answered %d: %s, %v", response.StatusCode, text, err)
			}
			if took := time.Since(began); took != wait {
				t.Errorf("start %d ends after %v, want %v", i, took, wait)
			}
		}
		for i, want := range []int{200, 200, 429} {
			response := post(`{greeting(name:"ben")}`, "application/json")
			response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("query %d is answered %d, want %d", i, response.StatusCode, want)
			}
		}
	})
}

// realtime 2#3, 11#8-10: what is refused by status, without a stream.
func TestEventStreamRefusals(t *testing.T) {
	target := newService(t, nil).listen(t) + "/graphql"
	for _, test := range []struct {
		name   string
		r      *http.Request
		status int
	}{
		{"bad JSON", call(t, "POST", target, `{`), 400},
		{"no query", call(t, "POST", target, `{}`), 400},
		{"query of another type", call(t, "POST", target, `{"query":1}`), 400},
		{"variables of another type", call(t, "POST", target, `{"query":"{__typename}","variables":1}`), 400},
		{"extensions of another type", call(t, "POST", target, `{"query":"{__typename}","extensions":1}`), 400},
		{"content type", call(t, "POST", target, `{}`, "Content-Type", "text/plain"), 415},
		{"method", call(t, "PUT", target, `{}`), 405},
		{"mutation by GET", call(t, "GET", target+"?query="+url.QueryEscape(`mutation{touch(note:"n")}`), ""), 405},
		{"no credentials", call(t, "POST", target, `{"query":"{__typename}"}`, "Authorization", ""), 401},
		{"an expired token, by GET", call(t, "GET", target+"?query="+url.QueryEscape(`{__typename}`), "", "Authorization", "expired"), 401},
	} {
		test.r.Header.Set("Accept", "text/event-stream")
		got := do(t, test.r)
		if got.status != test.status || got.header.Get("Content-Type") != jsonType || !strings.HasPrefix(got.body, `{"errors":[{"errorType":`) {
			t.Errorf("%s: got %d %s %s, want %d", test.name, got.status, got.header.Get("Content-Type"), got.body, test.status)
		}
		if unauthenticated := strings.Contains(got.body, `"extensions":{"code":"UNAUTHENTICATED"}`); unauthenticated != (test.status == 401) {
			t.Errorf("%s: %d with %s", test.name, test.status, got.body)
		}
	}
}

// realtime 11#3-4: each event is a frame of one line, and the end is one too.
func TestEventStreamOfASubscription(t *testing.T) {
	s := newService(t, nil)
	stream := openStream(t, http.DefaultClient, call(t, "POST", s.listen(t)+"/graphql", document(t, onTick, nil)))
	stream.expect(alive)
	<-s.graph.Subscribed
	for _, number := range []int{1, 2} {
		s.graph.Ticks <- &testgraph.Tick{Number: number}
	}
	stream.expect("event: next\ndata: {\"data\":{\"onTick\":{\"number\":1}}}\n", "event: next\ndata: {\"data\":{\"onTick\":{\"number\":2}}}\n")
	close(s.graph.Ticks)
	stream.expect(finished, "")
	<-s.graph.Unsubscribed
}

// realtime 11#11: closing the request ends the subscription.
func TestLeavingAnEventStreamEndsTheSubscription(t *testing.T) {
	s := newService(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	r := call(t, "POST", s.listen(t)+"/graphql", document(t, onTick, nil)).WithContext(ctx)
	stream := openStream(t, http.DefaultClient, r)
	stream.expect(alive)
	<-s.graph.Subscribed
	leave()
	<-s.graph.Unsubscribed
}

// realtime 11#5: comment lines keep a stream alive.
func TestEventStreamsShowSignsOfLifeAndOutliveTimeouts(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		r := call(t, "POST", "http://stoa.test/graphql", document(t, onTick, nil)).WithContext(ctx)
		stream := openStream(t, net.client(), r)
		stream.expect(alive)
		<-s.graph.Subscribed
		began := time.Now()
		for range 100 {
			stream.expect(alive)
		}
		if took := time.Since(began); took != 1200*time.Second {
			t.Errorf("100 signs of life took %v", took)
		}
		s.graph.Ticks <- &testgraph.Tick{Number: 7}
		stream.expect("event: next\ndata: {\"data\":{\"onTick\":{\"number\":7}}}\n")
		leave()
		<-s.graph.Unsubscribed
	})
}

// A client that does not read its stream is disconnected after the write timeout.
func TestAStreamThatNobodyReadsEnds(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		stream := openStream(t, net.client(), call(t, "POST", "http://stoa.test/graphql", document(t, onTick, nil)))
		stream.expect(alive)
		<-s.graph.Subscribed
		s.flood(t)
	})
}

func TestShutdownEndsEventStreamsWithoutComplete(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, shutdown func()) {
		stream := openStream(t, net.client(), call(t, "POST", "http://stoa.test/graphql", document(t, onTick, nil)))
		stream.expect(alive)
		<-s.graph.Subscribed
		shutdown()
		stream.expect("")
	})
}
