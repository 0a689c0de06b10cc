package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

// wsClient is a client that sends and expects raw messages.
type wsClient struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, url string, options *websocket.DialOptions) *wsClient {
	t.Helper()
	if options == nil {
		options = &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}}
	}
	conn, _, err := websocket.Dial(t.Context(), url, options)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { conn.CloseNow() })
	return &wsClient{t, conn}
}

func (c *wsClient) send(message string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(message)); err != nil {
		c.t.Fatalf("sending %s: %v", message, err)
	}
}

func (c *wsClient) receive() string {
	c.t.Helper()
	_, message, err := c.conn.Read(c.t.Context())
	if err != nil {
		c.t.Fatalf("waiting for a message: %v", err)
	}
	return string(message)
}

func (c *wsClient) expect(want string) {
	c.t.Helper()
	sameJSON(c.t, c.receive(), want)
}

// play sends and expects what lines say: "> " sends a message, "< " expects one, and "x "
// expects the end with a code and a reason.
func (c *wsClient) play(lines []string) {
	c.t.Helper()
	for _, line := range lines {
		kind, text, _ := strings.Cut(line, " ")
		switch kind {
		case ">":
			c.send(text)
		case "<":
			c.expect(text)
		case "x":
			var code websocket.StatusCode
			number, reason, _ := strings.Cut(text, " ")
			fmt.Sscan(number, &code)
			c.expectClose(code, reason)
		}
	}
}

func (c *wsClient) expectClose(code websocket.StatusCode, reason string) {
	c.t.Helper()
	_, message, err := c.conn.Read(c.t.Context())
	if err == nil {
		c.t.Fatalf("got %s instead of a close", message)
	}
	want := websocket.CloseError{Code: code, Reason: reason}
	if got := closeOf(err); got != want {
		c.t.Errorf("closed with %+v, want %+v", got, want)
	}
}

func closeOf(err error) (closed websocket.CloseError) {
	for e := err; e != nil; {
		if c, ok := e.(websocket.CloseError); ok {
			return c
		}
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	return websocket.CloseError{Reason: fmt.Sprint(err)}
}

func (c *wsClient) initialise() *wsClient {
	c.t.Helper()
	c.send(`{"type":"connection_init","payload":{"Authorization":"ana"}}`)
	c.expect(`{"type":"connection_ack"}`)
	return c
}

func subscribeMessage(id, query string) string {
	m, _ := json.Marshal(map[string]any{"id": id, "type": "subscribe", "payload": map[string]any{"query": query}})
	return string(m)
}

const onTick = `subscription{onTick(userId:"` + ana + `"){number}}`

// Each row is a conversation: ">" is sent, "<" is expected, "x" is the close.
// realtime 2#2-3, 10#1-2,4-5,8-12,15-17,20-23
func TestTransportConversations(t *testing.T) {
	const (
		hello = `> {"type":"connection_init","payload":{"authorization":"Bearer ana"}}`
		ack   = `< {"type":"connection_ack"}`
	)
	subscribe := func(id, query string) string { return "> " + subscribeMessage(id, query) }
	invalid := func(id, message, at string) string {
		return fmt.Sprintf(`< {"id":%q,"type":"error","payload":[{"message":%q,"errorType":"ValidationError","errorInfo":null,"data":null,"path":null,
			"locations":[{%s,"sourceName":null}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED","errorType":"ValidationError","errorInfo":null}}]}`, id, message, at)
	}
	for _, test := range []struct {
		name  string
		lines []string
	}{
		{"query", []string{hello, ack, subscribe("1", `{greeting(name:"ben")}`),
			`< {"id":"1","type":"next","payload":{"data":{"greeting":"Hello ben"}}}`, `< {"id":"1","type":"complete"}`}},
		{"mutation", []string{hello, ack, subscribe("1", `mutation{touch(note:"n")}`),
			`< {"id":"1","type":"next","payload":{"data":{"touch":"n"}}}`, `< {"id":"1","type":"complete"}`}},
		{"query with a field error", []string{hello, ack, subscribe("1", `{mustFail(how:CLIENT)}`),
			`< {"id":"1","type":"next","payload":{"data":null,"errors":[{"message":"ClientError: User ` + "`us-east-1:x`" +
				` is not ACTIVE","errorType":"ClientError","errorInfo":null,"data":null,
				"path":["mustFail"],"locations":[{"line":1,"column":2,"sourceName":null}],"extensions":{"code":"INVALID","errorType":"ClientError","errorInfo":null}}]}}`,
			`< {"id":"1","type":"complete"}`}},
		{"id is free after complete", []string{hello, ack,
			subscribe("1", `{__typename}`), `< {"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}`, `< {"id":"1","type":"complete"}`,
			subscribe("1", `{__typename}`), `< {"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}`, `< {"id":"1","type":"complete"}`}},
		{"id is free after error", []string{hello, ack,
			subscribe("1", `{nope}`), invalid("1", `Validation error of type FieldUndefined: Cannot query field "nope" on type "Query".`, `"line":1,"column":2`),
			subscribe("1", `{__typename}`), `< {"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}`, `< {"id":"1","type":"complete"}`}},
		{"id is free after the client completed", []string{hello, ack, subscribe("1", `{wait}`), `> {"id":"1","type":"complete"}`,
			subscribe("1", `{__typename}`), `< {"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}`, `< {"id":"1","type":"complete"}`}},
		{"foreign user", []string{hello, ack, subscribe("s", `subscription{onTick(userId:"other"){number}}`),
			`< {"id":"s","type":"error","payload":[{"message":"ClientError: Cannot subscribe to notifications intended for another user","errorType":"ClientError",` +
				`"errorInfo":null,"data":null,
				"path":["onTick"],"locations":[{"line":1,"column":14,"sourceName":null}],"extensions":{"code":"FORBIDDEN","errorType":"ClientError","errorInfo":null}}]}`,
			`> {"type":"ping"}`, `< {"type":"pong"}`}},
		{"late and unknown completes", []string{hello, ack, `> {"id":"nobody","type":"complete"}`, `> {"type":"ping"}`, `< {"type":"pong"}`}},
		{"ping before init", []string{`> {"type":"ping","payload":{"n":1}}`, `< {"type":"pong","payload":{"n":1}}`}},
		{"unsolicited pong", []string{`> {"type":"pong"}`, hello, ack}},
		{"credentials of another case and client headers", []string{`> {"type":"connection_init","payload":{"AUTHORIZATION":"ana","x-real-version":"9","more":{"a":1}}}`, ack,
			subscribe("1", `{viewer{userId version}}`), `< {"id":"1","type":"next","payload":{"data":{"viewer":{"userId":"` + ana + `","version":"9"}}}}`,
			`< {"id":"1","type":"complete"}`}},

		{"credentials in two cases", []string{`> {"type":"connection_init","payload":{"AUTHORIZATION":"expired","authorization":"ana","Authorization":"expired"}}`, ack}},
		{"members in another case", []string{`> {"TYPE":"complete","type":"connection_init","Payload":5,"payload":{"authorization":"ana"}}`, ack}},

		{"a type in another case", []string{`> {"Type":"connection_init","payload":{"authorization":"ana"}}`, "x 4400 `type` is missing"}},
		{"two types", []string{`> {"type":"ping","type":"connection_init"}`, "x 4400 `type` is given twice"}},
		{"two payloads", []string{hello, ack, `> {"id":"1","type":"subscribe","payload":{"query":"{__typename}"},"payload":{"operationName":"A"}}`, "x 4400 `payload` is given twice"}},
		{"not JSON", []string{`> nope`, `x 4400 not valid JSON: invalid character 'o' in literal null (expecting 'u'), at byte 2`}},
		{"no type", []string{`> {"id":"1"}`, "x 4400 `type` is missing"}},
		{"unknown type", []string{`> {"type":"start"}`, "x 4400 unknown message type `start`"}},
		{"type of another type", []string{`> {"type":5}`, "x 4400 `type` must be a string"}},
		{"init payload of another type", []string{`> {"type":"connection_init","payload":[]}`, "x 4400 `payload` of connection_init must be an object"}},
		{"ping payload of another type", []string{hello, ack, `> {"type":"ping","payload":"x"}`, "x 4400 `payload` of ping must be an object"}},
		{"pong payload of another type", []string{hello, ack, `> {"type":"pong","payload":[]}`, "x 4400 `payload` of pong must be an object"}},
		{"null payloads", []string{`> {"type":"pong","payload":null}`, `> {"type":"ping","payload":null}`, `< {"type":"pong"}`}},
		{"subscribe without id", []string{hello, ack, `> {"type":"subscribe","payload":{"query":"{__typename}"}}`, "x 4400 `id` of subscribe is missing"}},
		{"complete without id", []string{hello, ack, `> {"type":"complete"}`, "x 4400 `id` of complete is missing"}},
		{"subscribe without payload", []string{hello, ack, `> {"id":"1","type":"subscribe"}`, "x 4400 `payload` of subscribe: request is empty"}},
		{"subscribe without query", []string{hello, ack, `> {"id":"1","type":"subscribe","payload":{}}`, "x 4400 `payload` of subscribe: `query` is missing: send the GraphQL " +
			"document as a string"}},
		{"subscribe before init", []string{subscribe("1", `{__typename}`), "x 4401 Unauthorized"}},
		{"bad credentials", []string{`> {"type":"connection_init","payload":{"Authorization":"expired"}}`, "x 4403 Forbidden"}},
		{"no credentials", []string{`> {"type":"connection_init"}`, "x 4403 Forbidden"}},
		{"null payload", []string{`> {"type":"connection_init","payload":null}`, "x 4403 Forbidden"}},
		{"credentials that cannot be checked", []string{`> {"type":"connection_init","payload":{"Authorization":"unreachable"}}`, "x 4500 Internal server error"}},
		{"id in use", []string{hello, ack, subscribe("1", `{wait}`), subscribe("1", `{wait}`), "x 4409 Subscriber for 1 already exists"}},
		{"second init", []string{hello, ack, hello, "x 4429 Too many initialisation requests"}},
	} {
		for _, path := range []string{"/graphql", "/graphql/realtime"} {
			t.Run(test.name+" on "+path, func(t *testing.T) {
				c := dial(t, newService(t, nil).listen(t)+path, nil)
				if got := c.conn.Subprotocol(); got != "graphql-transport-ws" {
					t.Fatalf("subprotocol %q", got)
				}
				c.play(test.lines)
			})
		}
	}
}

// realtime 10#2: credentials may be headers of the handshake.
func TestTransportTakesCredentialsFromTheHandshake(t *testing.T) {
	c := dial(t, newService(t, nil).listen(t)+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"something", "graphql-transport-ws"},
		HTTPHeader:   http.Header{"Authorization": {"Bearer ana"}, "X-Real-Version": {"3"}},
	})
	c.send(`{"type":"connection_init","payload":{}}`)
	c.expect(`{"type":"connection_ack"}`)
	c.send(subscribeMessage("1", `{viewer{userId version}}`))
	c.expect(`{"id":"1","type":"next","payload":{"data":{"viewer":{"userId":"` + ana + `","version":"3"}}}}`)
}

func TestLongIDsFitIntoACloseFrame(t *testing.T) {
	c := dial(t, newService(t, nil).listen(t)+"/graphql", nil).initialise()
	id := strings.Repeat("é", 200)
	c.send(subscribeMessage(id, `{wait}`))
	c.send(subscribeMessage(id, `{wait}`))
	c.expectClose(4409, "Subscriber for "+strings.Repeat("é", 54))
}

func TestSubscriptionEvents(t *testing.T) {
	s := newService(t, nil)
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	c.send(subscribeMessage("s", `subscription{t:onTick(userId:"`+ana+`"){number label loads}}`))
	<-s.graph.Subscribed
	s.graph.Ticks <- &testgraph.Tick{Number: 1}
	c.expect(`{"id":"s","type":"next","payload":{"data":{"t":{"number":1,"label":"tick 1","loads":1}}}}`)
	// Each event has its own context: the count of loads starts again.
	s.graph.Ticks <- &testgraph.Tick{Number: 13}
	c.expect(`{"id":"s","type":"next","payload":{"data":{"t":{"number":13,"label":null,"loads":1}},"errors":[{"message":"ClientError: No 13th tick","errorType":"ClientError",
		"errorInfo":null,"data":null,"path":["t","label"],"locations":[{"line":1,"column":87,"sourceName":null}],"extensions":{"code":"INVALID","errorType":"ClientError",` +
		`"errorInfo":null}}]}}`)
	s.graph.Ticks <- nil
	c.expect(`{"id":"s","type":"next","payload":{"data":{"t":null}}}`)
	close(s.graph.Ticks)
	c.expect(`{"id":"s","type":"complete"}`)
	<-s.graph.Unsubscribed
}

// realtime 10#21: no event follows the client's complete.
func TestNothingFollowsTheClientsComplete(t *testing.T) {
	s := newService(t, nil)
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	c.send(subscribeMessage("s", onTick))
	<-s.graph.Subscribed
	c.send(`{"id":"s","type":"complete"}`)
	<-s.graph.Unsubscribed
	s.graph.Ticks <- &testgraph.Tick{Number: 1}
	c.send(`{"type":"ping"}`)
	c.expect(`{"type":"pong"}`)
}

func TestSeveralSubscriptionsOnOneSocket(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Limits.Subscriptions = 2 })
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	for _, id := range []string{"a", "b"} {
		c.send(subscribeMessage(id, onTick))
		<-s.graph.Subscribed
	}
	c.send(subscribeMessage("c", onTick))
	c.expect(
		`{"id":"c","type":"error","payload":[{"message":"Max number of 2 subscriptions reached","errorType":"MaxSubscriptionsReachedError","errorInfo":null,"data":null,` +
			`"path":null,"locations":null,
		"extensions":{"code":"TOO_MANY_OPERATIONS","errorType":"MaxSubscriptionsReachedError","errorInfo":null}}]}`,
	)
	<-s.graph.Unsubscribed
	c.send(`{"id":"a","type":"complete"}`)
	<-s.graph.Unsubscribed
	s.graph.Ticks <- &testgraph.Tick{Number: 2}
	c.expect(`{"id":"b","type":"next","payload":{"data":{"onTick":{"number":2}}}}`)
}

// At a socket's limit, operations that are refused for another reason get that error.
func TestTransportCountsOperations(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Limits.Subscriptions = 2 })
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	for _, id := range []string{"1", "2"} {
		c.send(subscribeMessage(id, onTick))
		<-s.graph.Subscribed
	}
	for _, refused := range []struct{ query, want string }{
		{`subscription{onTick(userId:"other"){number}}`, "Cannot subscribe to notifications intended for another user"},
		{`{nope}`, "Cannot query field"},
		{onTick, "Max number of 2 subscriptions reached"},
		{`{__typename}`, "Max number of 2 subscriptions reached"},
	} {
		c.send(subscribeMessage("3", refused.query))
		if got := c.receive(); !strings.Contains(got, `"type":"error"`) || !strings.Contains(got, refused.want) {
			t.Errorf("%s is answered %s", refused.query, got)
		}
	}
	c.send(`{"id":"1","type":"complete"}`)
	c.send(subscribeMessage("3", `{__typename}`))
	c.expect(`{"id":"3","type":"next","payload":{"data":{"__typename":"Query"}}}`)
}

func TestClosingTheSocketEndsItsSubscriptions(t *testing.T) {
	s := newService(t, nil)
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	c.send(subscribeMessage("a", onTick))
	<-s.graph.Subscribed
	c.conn.Close(websocket.StatusNormalClosure, "")
	<-s.graph.Unsubscribed
}

// realtime 10#13, 12#1,4: which protocol a list of subprotocols means, and that others are
// closed.
func TestChoiceOfSubprotocol(t *testing.T) {
	base := newService(t, nil).listen(t)
	for _, test := range []struct {
		name   string
		offers []string
		status int
	}{
		{"none", nil, 4406},
		{"another", []string{"soap"}, 4406},
		{"both", []string{"graphql-ws", "graphql-transport-ws"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, _, err := websocket.Dial(t.Context(), base+"/graphql", &websocket.DialOptions{Subprotocols: test.offers})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.CloseNow()
			if test.status == 4406 {
				(&wsClient{t, conn}).expectClose(4406, "Subprotocol not acceptable")
				return
			}
			(&wsClient{t, conn}).initialise()
		})
	}
	t.Run("realtime path without upgrade", func(t *testing.T) {
		if got := do(t, call(t, "POST", base+"/graphql/realtime", `{"query":"{__typename}"}`)); got.status != 426 || got.header.Get("Upgrade") != "websocket" {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
}

// realtime 9.1#7: origins are checked only if they are configured.
func TestOriginsOfSockets(t *testing.T) {
	for _, test := range []struct {
		origins []string
		local   bool
		origin  string
		allowed bool
	}{
		{nil, false, "", true},
		{nil, false, "http://any.example", true},
		{nil, true, "http://any.example", true},
		{[]string{"https://app.example"}, false, "", true},
		{[]string{"https://app.example"}, false, "https://app.example", true},
		{[]string{"https://app.example"}, false, "http://app.example", false},
		{[]string{"https://app.example"}, false, "http://localhost:3000", false},
		{[]string{"https://app.example"}, true, "http://localhost:3000", true},
		{[]string{"https://app.example"}, true, "http://[::1]:3000", true},
		{[]string{"https://app.example"}, true, "http://any.example", false},
		{[]string{"http://[::1]:3000"}, false, "http://[::1]:3000", true},
		{[]string{"http://[::1]:3000"}, false, "http://[::2]:3000", false},
		{[]string{"http://[::1]:80"}, false, "http://[::1]", true},
		{[]string{"*"}, false, "http://any.example", true},
		{[]string{"*", "https://app.example"}, false, "http://any.example", true},
	} {
		base := newService(t, func(c *server.Config) { c.CORSOrigins, c.LocalOrigins = test.origins, test.local }).listen(t)
		header := http.Header{}
		if test.origin != "" {
			header.Set("Origin", test.origin)
		}
		conn, _, err := websocket.Dial(t.Context(), base+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header})
		if (err == nil) != test.allowed {
			t.Errorf("origins %v, origin %q: %v", test.origins, test.origin, err)
		}
		if err == nil {
			conn.CloseNow()
		}
	}
}

// inMemory runs test in a bubble of virtual time against a running server, which must shut
// down cleanly at the end. Tests may call shutdown earlier.
func inMemory(t *testing.T, change func(*server.Config), test func(t *testing.T, s *service, net *memoryNet, shutdown func())) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, change)
		net := newMemoryNet()
		ctx, shutdown := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx, net) }()
		defer func() {
			shutdown()
			if err := <-served; err != nil {
				t.Errorf("Serve: %v", err)
			}
		}()
		test(t, s, net, shutdown)
	})
}

func (m *memoryNet) dialWS(t *testing.T) *wsClient {
	t.Helper()
	return dial(t, "ws://stoa.test/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: m.client(),
	})
}

// realtime 10#14: a client that does not initialise its connection is closed.
func TestInitTimeout(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		c := net.dialWS(t)
		began := time.Now()
		c.send(`{"type":"ping"}`)
		c.expect(`{"type":"pong"}`)
		c.expectClose(4408, "Connection initialisation timeout")
		if waited := time.Since(began); waited != 3*time.Second {
			t.Errorf("closed after %v", waited)
		}
	})
}

func TestAnInitialisedSocketMayIdle(t *testing.T) {
	pings := 0
	inMemory(t, nil, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		conn, _, err := websocket.Dial(t.Context(), "ws://stoa.test/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: net.client(),
			OnPingReceived: func(context.Context, []byte) bool { pings++; return true },
		})
		if err != nil {
			t.Fatal(err)
		}
		c := &wsClient{t, conn}
		c.initialise()
		go func() {
			time.Sleep(65 * time.Second)
			c.send(`{"type":"ping"}`)
		}()
		c.expect(`{"type":"pong"}`)
		if pings != 5 {
			t.Errorf("%d signs of life in 65 s, want one every 12 s", pings)
		}
		conn.CloseNow()
	})
}

func TestASocketThatAnswersNoPingIsClosed(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		conn, _, err := websocket.Dial(t.Context(), "ws://stoa.test/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: net.client(),
			OnPingReceived: func(context.Context, []byte) bool { return false },
		})
		if err != nil {
			t.Fatal(err)
		}
		c := &wsClient{t, conn}
		c.initialise()
		c.send(subscribeMessage("s", onTick))
		began := time.Now()
		if _, _, err := conn.Read(t.Context()); err == nil {
			t.Error("the socket lives on")
		}
		if waited := time.Since(began); waited != 42*time.Second {
			t.Errorf("closed after %v", waited)
		}
		<-s.graph.Unsubscribed
	})
}

func TestASlowConsumerIsDropped(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		c := net.dialWS(t).initialise()
		c.send(subscribeMessage("s", onTick))
		<-s.graph.Subscribed
		began := time.Now()
		// Nothing reads the socket, and pipes have no buffer.
		s.graph.Ticks <- &testgraph.Tick{Number: 1}
		<-s.graph.Unsubscribed
		if waited := time.Since(began); waited != 10*time.Second {
			t.Errorf("dropped after %v", waited)
		}
	})
}

// A user whose clients do not read has only a few operations executed, whose answers are held
// for them, until they read or are disconnected.
func TestAnswersThatAreNotReadTakeTurns(t *testing.T) {
	for name, reads := range map[string]bool{"they read": true, "they are disconnected": false} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(c *server.Config) { c.Limits.UserOperations = 2 }, func(t *testing.T, s *service, net *memoryNet, _ func()) {
				var deaf []*wsClient
				for range 2 {
					c := net.dialWS(t).initialise()
					c.send(subscribeMessage("q", `{greeting(name:"ben")}`)) // nothing reads the answer, and pipes have no buffer
					deaf = append(deaf, c)
				}
				synctest.Wait()
				third := make(chan string, 1)
				go func() {
					r, err := net.client().Do(call(t, "POST", "http://stoa.test/graphql", document(t, `{greeting(name:"cy")}`, nil), "Authorization", "ana"))
					if err != nil {
						third <- err.Error()
						return
					}
					defer r.Body.Close()
					body, _ := io.ReadAll(r.Body)
					third <- string(body)
				}()
				synctest.Wait()
				if len(third) > 0 {
					t.Fatalf("beside two answers that are not read: %s", <-third)
				}
				if reads {
					deaf[0].expect(`{"id":"q","type":"next","payload":{"data":{"greeting":"Hello ben"}}}`)
					deaf[0].expect(`{"id":"q","type":"complete"}`)
				} else {
					time.Sleep(10 * time.Second)
				}
				sameJSON(t, <-third, `{"data":{"greeting":"Hello cy"}}`)
			})
		})
	}
}

func TestShutdownLetsOperationsOnSocketsFinish(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, shutdown func()) {
		c := net.dialWS(t).initialise()
		c.send(subscribeMessage("s", onTick))
		<-s.graph.Subscribed
		c.send(subscribeMessage("q", `{wait}`))
		<-s.graph.Waiting
		shutdown()
		time.Sleep(9 * time.Second)
		s.graph.Release <- struct{}{}
		c.expect(`{"id":"q","type":"next","payload":{"data":{"wait":"done"}}}`)
		c.expect(`{"id":"q","type":"complete"}`)
		c.expectClose(websocket.StatusGoingAway, "the server is shutting down")
		<-s.graph.Unsubscribed
	})
}

// What runs when the token expires is answered before the socket is closed: clients repeat what has no
// answer on their next connection, also mutations.
func TestAnExpiredTokenLetsOperationsFinish(t *testing.T) {
	until := func(c *server.Config) { c.Authenticator = expiring(time.Now().Add(5 * time.Second)) }
	inMemory(t, until, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		c := net.dialWS(t).initialise()
		c.send(subscribeMessage("q", `{wait}`))
		<-s.graph.Waiting
		go func() {
			time.Sleep(15 * time.Second) // credentials are rechecked meanwhile
			s.graph.Release <- struct{}{}
		}()
		c.expect(`{"id":"q","type":"next","payload":{"data":{"wait":"done"}}}`)
		c.expect(`{"id":"q","type":"complete"}`)
		c.expectClose(4403, "Forbidden")
	})
}

// realtime 2#2: forbidden starts are all answered alike, beyond the rate limit a little later
// each, and do not count towards it.
func TestForbiddenStartsAreSlowedDown(t *testing.T) {
	limited := func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 2, Every: time.Hour} }
	inMemory(t, limited, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		c := net.dialWS(t).initialise()
		for i, wait := range []time.Duration{0, 0, 0, 100 * time.Millisecond, 100 * time.Millisecond} {
			began := time.Now()
			c.send(subscribeMessage("foreign", `subscription{onTick(userId:"other"){number}}`))
			if got := c.receive(); !strings.Contains(got, "FORBIDDEN") {
				t.Fatalf("a foreign start is answered %s", got)
			}
			if took := time.Since(began); took != wait {
				t.Errorf("start %d is answered after %v, want %v", i, took, wait)
			}
		}
		for range 2 {
			c.send(subscribeMessage("own", `{greeting(name:"ben")}`))
			c.expect(`{"type":"next","id":"own","payload":{"data":{"greeting":"Hello ben"}}}`)
			c.expect(`{"type":"complete","id":"own"}`)
		}
		c.send(subscribeMessage("own", `{greeting(name:"ben")}`))
		if got := c.receive(); !strings.Contains(got, "RATE_LIMITED") {
			t.Errorf("a query beyond the limit is answered %s", got)
		}
	})
}
