package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/viewer"
	"stoa/internal/server"
)

// metrics returns what the service measures.
func (s *service) metrics(t *testing.T) string {
	t.Helper()
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, call(t, http.MethodGet, "/metrics", ""))
	return answer.Body.String()
}

const internalErrors = `stoa_errors_total{code="INTERNAL",system="test"} `

// A subscription whose events cannot be shown ends with an error, which is logged and
// counted, and its connection remains.
func TestASubscriptionThatFailsEndsWithAnError(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Registry, c.Metrics = prometheus.NewRegistry(), true })
	appSync, transport, stream := subscribeByAll(t, s.listen(t))
	for range 3 {
		bus.Fail(<-s.graph.Contexts, errors.New("disk on fire"))
	}
	close(s.graph.Ticks)
	const shown = `{"message":"ServerError: Internal server error","errorType":"ServerError","errorInfo":null,"data":null,"path":["onTick"],
		"locations":[{"line":1,"column":14,"sourceName":null}],"extensions":{"code":"INTERNAL","errorType":"ServerError","errorInfo":null}}`
	appSync.expect(`{"type":"error","id":"s","payload":{"errors":[` + shown + `]}}`)
	appSync.send(`{"type":"connection_init"}`)
	appSync.expect(appSyncAck)
	transport.expect(`{"type":"error","id":"s","payload":[` + shown + `]}`)
	transport.send(`{"type":"ping"}`)
	transport.expect(`{"type":"pong"}`)
	event := stream.block()
	if data, ok := strings.CutPrefix(event, "event: next\ndata: "); !ok {
		t.Errorf("the stream says %q", event)
	} else {
		sameJSON(t, data, `{"errors":[`+shown+`]}`)
	}
	stream.expect("event: complete\ndata:\n")
	if n := strings.Count(s.log.String(), "disk on fire"); n != 3 {
		t.Errorf("logged %d times: %s", n, s.log)
	}
	if metrics := s.metrics(t); !strings.Contains(metrics, internalErrors+"3") {
		t.Errorf("not counted: %s", metrics)
	}
}

// A socket that has missed events answers what is running before it closes: its client
// would repeat the mutation.
func TestWhatRunsIsAnsweredBeforeASocketCloses(t *testing.T) {
	s := newService(t, nil)
	base := s.listen(t)
	s.graph.Bus = &bus.Local{}
	c := dial(t, base+"/graphql", nil).initialise()
	c.send(subscribeMessage("s", onTick))
	c.send(subscribeMessage("w", `{wait}`))
	<-s.graph.Subscribed
	<-s.graph.Waiting
	s.graph.Bus.LoseAll()
	s.graph.Release <- struct{}{}
	c.expect(`{"type":"next","id":"w","payload":{"data":{"wait":"done"}}}`)
	c.expect(`{"type":"complete","id":"w"}`)
	c.expectClose(websocket.StatusTryAgainLater, "events have been missed: connect again")
}

// shaky is an authenticator that fails when it is asked again.
type shaky struct {
	tokens
	mu    sync.Mutex
	again func(n int)
	asked int
}

func (a *shaky) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	a.mu.Lock()
	a.asked++
	again, n := a.again, a.asked
	a.mu.Unlock()
	if again != nil {
		again(n)
	}
	return a.tokens.Authenticate(ctx, authorization)
}

func (a *shaky) fail(again func(n int)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.again, a.asked = again, 0
}

// A panic while credentials are rechecked ends the subscriptions with these credentials.
func TestAPanicOfARecheckEndsItsSubscription(t *testing.T) {
	a := &shaky{}
	change := func(c *server.Config) {
		c.Authenticator, c.Registry, c.Metrics = a, prometheus.NewRegistry(), true
	}
	inMemory(t, change, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		appSync := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		appSync.send(startMessage("s", onTick, "ana"))
		appSync.expect(`{"type":"start_ack","id":"s"}`)
		idle := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		transport := net.dialWS(t).initialise()
		transport.send(subscribeMessage("s", onTick))
		stream := openStream(t, net.client(), call(t, "POST", "http://stoa.test/graphql", document(t, onTick, nil)))
		stream.expect(alive)
		a.fail(func(int) { panic("oh") })
		appSync.expect(`{"type":"error","id":"s","payload":{"errors":[{"errorType":"ServerError","message":"ServerError: Internal server error"}]}}`)
		idle.expectClose(websocket.StatusInternalError, "Internal server error")
		transport.expectClose(4500, "Internal server error")
		if got := stream.block(); got != "" {
			t.Errorf("the stream says %q", got)
		}
		a.fail(nil)
		// The first socket may be closed as well, if it is rechecked after its subscription.
		another := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		another.send(startMessage("s", onTick, "ana"))
		another.expect(`{"type":"start_ack","id":"s"}`)
		synctest.Wait()
		if !strings.Contains(s.log.String(), "panic: oh") {
			t.Errorf("not logged: %s", s.log)
		}
		if metrics := s.metrics(t); !strings.Contains(metrics, internalErrors) {
			t.Errorf("not counted: %s", metrics)
		}
	})
}

// A recheck that takes long delays no other.
func TestRechecksRunSideBySide(t *testing.T) {
	a := &shaky{}
	inMemory(t, func(c *server.Config) { c.Authenticator = a }, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		for range 2 {
			transport := net.dialWS(t).initialise()
			transport.send(subscribeMessage("s", onTick))
			<-s.graph.Subscribed
		}
		both := make(chan struct{})
		a.fail(func(n int) {
			if n == 2 {
				close(both)
			}
			<-both
		})
		<-both
	})
}
