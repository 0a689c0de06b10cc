package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

const ana = "us-east-1:aaaaaaaa-0000-4000-8000-000000000001"

// tokens is an authenticator with three tokens.
type tokens struct{}

func (tokens) Authenticate(_ context.Context, authorization string) (viewer.UserID, error) {
	switch strings.TrimPrefix(authorization, "Bearer ") {
	case "":
		return "", refusal.Forbiddenf("Valid authorization header not provided.")
	case "ana":
		return ana, nil
	case "expired":
		return "", refusal.Forbiddenf("Token has expired.")
	case "unreachable":
		return "", errors.New("key server at 10.0.0.1 is down")
	}
	return "", refusal.Forbiddenf("Unable to parse JWT token")
}

// service is a server under test and the graph behind it.
type service struct {
	*server.Server
	graph *testgraph.Graph
	log   *logBuffer
}

func newService(t *testing.T, change func(*server.Config)) *service {
	t.Helper()
	s := &service{graph: testgraph.New(), log: &logBuffer{}}
	config := server.Config{
		Systems:       []server.System{{Name: "test", Path: "/graphql", Schema: s.graph.Schema(), OperationContext: testgraph.WithLoads, Scalars: testgraph.Scalars}},
		Authenticator: tokens{},
		Introspection: true,
		Log:           slog.New(slog.NewJSONHandler(s.log, nil)),
	}
	if change != nil {
		change(&config)
	}
	var err error
	if s.Server, err = server.New(config); err != nil {
		t.Fatal(err)
	}
	return s
}

// listen serves on a real socket and returns the base URL.
func (s *service) listen(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

// reply is a response with its body.
type reply struct {
	status int
	header http.Header
	body   string
}

func do(t *testing.T, r *http.Request) reply {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// call sends a request as ana; headers come in pairs, and an empty value removes one.
func call(t *testing.T, method, url, body string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "ana")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// document returns a request body.
func document(t *testing.T, query string, variables map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// sameJSON compares two JSON texts by value.
func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("test wants what is not JSON: %v\n%s", err, want)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// subscribeByAll subscribes to onTick over each transport.
func subscribeByAll(t *testing.T, base string) (appSync, transport *wsClient, stream *eventReader) {
	t.Helper()
	appSync = dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge()
	appSync.send(startMessage("s", onTick, "ana"))
	appSync.expect(`{"type":"start_ack","id":"s"}`)
	transport = dial(t, base+"/graphql", nil).initialise()
	transport.send(subscribeMessage("s", onTick))
	transport.send(`{"type":"ping"}`)
	transport.expect(`{"type":"pong"}`) // the subscription has started before
	stream = openStream(t, http.DefaultClient, call(t, "POST", base+"/graphql", document(t, onTick, nil)))
	stream.expect(alive)
	return appSync, transport, stream
}

// flood sends ticks to a client that does not read them, until the service gives it up.
func (s *service) flood(t *testing.T) {
	t.Helper()
	began := time.Now()
	for range 100_000 { // until more is queued for it than may be
		select {
		case s.graph.Ticks <- &testgraph.Tick{Number: 1}:
			continue
		case <-s.graph.Unsubscribed:
		}
		break
	}
	if waited := time.Since(began); waited > 15*time.Second {
		t.Errorf("given up after %v", waited)
	}
}

// logBuffer collects log lines from any goroutine.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// memoryNet is an in-memory network: its connections are pipes that a synctest bubble can
// observe, so that time is virtual.
type memoryNet struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMemoryNet() *memoryNet {
	return &memoryNet{accept: make(chan net.Conn), closed: make(chan struct{})}
}

func (m *memoryNet) Accept() (net.Conn, error) {
	select {
	case c := <-m.accept:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memoryNet) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func (m *memoryNet) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (m *memoryNet) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, serverSide := net.Pipe()
	select {
	case m.accept <- serverSide:
		return client, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memoryNet) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: m.dial}}
}
