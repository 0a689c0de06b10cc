package server_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

// Frames of the AppSync protocol.
const (
	appSyncInit = `{"type":"connection_init"}`
	appSyncAck  = `{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}`
	appSyncKA   = `{"type":"ka"}`
	appSyncDeny = `{"type":"connection_error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this ` +
		`call.","errorCode":401,"extensions":{"code":"UNAUTHENTICATED"}}]}}`
)

func appSyncHeader(token string) string {
	return fmt.Sprintf(`{"host":"stoa.test","Authorization":%q}`, token)
}

// dialAppSync opens a socket like current SDKs.
func dialAppSync(t *testing.T, address, token string, client *http.Client) *wsClient {
	t.Helper()
	return dial(t, address, &websocket.DialOptions{
		Subprotocols: []string{"graphql-ws", "header-" + base64.RawURLEncoding.EncodeToString([]byte(appSyncHeader(token)))},
		HTTPClient:   client,
	})
}

func (c *wsClient) acknowledge() *wsClient {
	c.t.Helper()
	c.send(appSyncInit)
	c.expect(appSyncAck)
	c.expect(appSyncKA)
	return c
}

// startMessage returns a start message as sent by aws-appsync and Amplify.
func startMessage(id, query, token string) string {
	data, _ := json.Marshal(map[string]any{"query": query, "variables": map[string]any{}})
	m, _ := json.Marshal(map[string]any{"id": id, "type": "start", "payload": map[string]any{
		"data":       string(data),
		"extensions": map[string]any{"authorization": map[string]any{"Authorization": token, "host": "stoa.test", "x-amz-user-agent": "aws-amplify/6"}},
	}})
	return string(m)
}

// Each row is a conversation after the acknowledgement: ">" is sent, "<" is expected, "x"
// is the close. realtime 2#1-2, 9.2#6,8,10,13-16,19-20
func TestAppSyncConversations(t *testing.T) {
	const foreign = `subscription{onTick(userId:"other"){number}}`
	start := func(id, query string) string { return "> " + startMessage(id, query, "ana") }
	started := func(id string) string { return fmt.Sprintf(`< {"type":"start_ack","id":%q}`, id) }
	plain := func(id, errorType, message string) string {
		return fmt.Sprintf(`< {"type":"error","id":%q,"payload":{"errors":[{"errorType":%q,"message":%q}]}}`, id, errorType, message)
	}
	unauthorized := func(id, message string) string {
		return fmt.Sprintf(
			`< {"type":"error","id":%q,"payload":{"errors":[{"errorType":"UnauthorizedException","message":%q,"extensions":{"code":"UNAUTHENTICATED"}}]}}`,
			id,
			message,
		)
	}
	refused := func(id, errorType, code, message, at string) string {
		return fmt.Sprintf(
			`< {"type":"error","id":%q,"payload":{"errors":[{"message":%q,"errorType":%q,"errorInfo":null,"data":null,%s,"extensions":{"code":%q,"errorType":%q,"errorInfo":null}}]}}`,
			id,
			message,
			errorType,
			at,
			code,
			errorType,
		)
	}
	denied := func(id string) string {
		return refused(id, "ClientError", "FORBIDDEN", "ClientError: Cannot subscribe to notifications intended for another user",
			`"path":["onTick"],"locations":[{"line":1,"column":14,"sourceName":null}]`)
	}
	for _, test := range []struct {
		name  string
		lines []string
	}{
		{"start and stop", []string{start("1", onTick), started("1"), `> {"id":"1","type":"stop"}`, `< {"type":"complete","id":"1"}`}},
		{"the id is free after stop", []string{start("1", onTick), started("1"), `> {"id":"1","type":"stop"}`, `< {"type":"complete","id":"1"}`,
			start("1", onTick), started("1")}},
		{"foreign user, again and again",
			[]string{start("1", foreign), denied("1"), start("1", foreign), denied("1"), start("2", foreign), denied("2"), start("3", onTick), started("3")}},
		{"the same start again", []string{start("1", onTick), started("1"), start("1", onTick), started("1"), `> {"id":"1","type":"stop"}`, `< {"type":"complete","id":"1"}`}},
		{"an id in use", []string{start("1", onTick), started("1"), start("1", onTick+" "), plain("1", "DuplicatedOperationError", "the id is in use by another subscription"),
			start("1", onTick), started("1")}},
		{"an expired token for an id in use", []string{start("1", onTick), started("1"), "> " + startMessage("1", onTick, "expired"), unauthorized("1", "Token has expired."),
			`> {"id":"1","type":"stop"}`, start("1", onTick+" "), started("1")}},
		{"an unknown message about an id in use",
			[]string{start("1", onTick), started("1"), `> {"id":"1","type":"subscribe"}`,
				plain("1", "UnsupportedOperation", "`subscribe` messages are not supported through the realtime channel"),
				`> {"id":"1","type":"stop"}`, start("1", onTick+" "), started("1")}},
		{"expired token", []string{"> " + startMessage("1", onTick, "expired"), unauthorized("1", "Token has expired."), start("2", onTick), started("2")}},
		{"no token", []string{`> {"id":"1","type":"start","payload":{"data":"{}","extensions":{}}}`,
			plain("1", "MalformedHttpRequestException", "`query` is missing: send the GraphQL document as a string"),
			`> {"id":"1","type":"start","payload":{"data":"{\"query\":\"{__typename}\"}"}}`, unauthorized("1", "Valid authorization header not provided.")}},
		{"query", []string{start("1", `{__typename}`), plain("1", "UnsupportedOperation", "queries and mutations are not supported through the realtime channel")}},
		{"mutation", []string{start("1", `mutation{touch(note:"n")}`), plain("1", "UnsupportedOperation", "queries and mutations are not supported through the realtime channel")}},
		{"start of another protocol", []string{`> {"id":"1","type":"start","payload":{"query":"{__typename}"}}`,
			plain("1", "UnsupportedOperation", "a start whose `payload.data` is not a JSON text is not supported through the realtime channel")}},
		{"start without payload", []string{`> {"id":"1","type":"start"}`,
			plain("1", "UnsupportedOperation", "a start whose `payload.data` is not a JSON text is not supported through the realtime channel")}},
		{"start with members in another case", []string{`> {"id":"1","type":"start","Payload":{"data":"{}"}}`,
			plain("1", "UnsupportedOperation", "a start whose `payload.data` is not a JSON text is not supported through the realtime channel")}},
		{"start with two requests", []string{`> {"id":"1","type":"start","payload":{"data":"{}","data":"{}"}}`,
			plain("1", "MalformedHttpRequestException", "`payload.data` is given twice")}},
		{"start without id", []string{`> {"type":"start","payload":{"query":"{__typename}"}}`, start("1", onTick), started("1")}},
		{"unknown type", []string{`> {"id":"1","type":"subscribe"}`, plain("1", "UnsupportedOperation", "`subscribe` messages are not supported through the realtime channel"),
			`> {"type":"subscribe"}`, start("2", onTick), started("2")}},
		{"invalid document", []string{start("1", `subscription{nope}`),
			refused("1", "ValidationError", "GRAPHQL_VALIDATION_FAILED", `Validation error of type FieldUndefined: Cannot query field "nope" on type "Subscription".`,
				`"path":null,"locations":[{"line":1,"column":14,"sourceName":null}]`)}},
		{"data that are no request", []string{`> {"id":"1","type":"start","payload":{"data":"nonsense"}}`,
			plain("1", "MalformedHttpRequestException", "not valid JSON: invalid character 'o' in literal null (expecting 'u'), at byte 2")}},
		{"stop of what never was", []string{`> {"id":"1","type":"stop"}`, start("2", onTick), started("2")}},
		{"stop of what was refused", []string{start("1", foreign), denied("1"), `> {"id":"1","type":"stop"}`, start("2", onTick), started("2")}},
		{"connection_init again", []string{`> {"type":"connection_init"}`, "< " + appSyncAck, start("2", onTick), started("2")}},
		{"what is no message", []string{`> nonsense`, "x 1003 messages must be JSON objects with a `type`"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := dialAppSync(t, newService(t, nil).listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
			c.play(test.lines)
		})
	}
}

// realtime 2#3, 9.1#6,8-13,15, 9.2#2-4, 12#2-3: both forms of credentials, on every path,
// good and bad.
func TestAppSyncHandshakes(t *testing.T) {
	base := newService(t, nil).listen(t)
	odd := `{"authorization":"ana","host":"stoa.test","x":"` + "~~~???>>>" + `"}` // in base64 with + and /
	for _, test := range []struct {
		name, target string
		protocols    []string
		allowed      bool
	}{
		{"query", "/graphql?header=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(appSyncHeader("ana")))) + "&payload=e30=", nil, true},
		{"query, not percent-encoded", "/graphql?header=" + base64.StdEncoding.EncodeToString([]byte(odd)) + "&payload=e30=", nil, true},
		{"query, URL alphabet, no padding", "/graphql/realtime?payload=e30=&header=" + base64.RawURLEncoding.EncodeToString([]byte(odd)), nil, true},
		{"query on the path of proxies", "/realtime?header=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(appSyncHeader("Bearer ana")))), nil, true},
		{"subprotocol", "/graphql/realtime", []string{"header-" + base64.RawURLEncoding.EncodeToString([]byte(odd))}, true},
		{"subprotocol on the path of requests", "/graphql", []string{"header-" + base64.RawURLEncoding.EncodeToString([]byte(odd))}, true},
		{"both, and the subprotocol counts", "/graphql?header=e30=", []string{"header-" + base64.RawURLEncoding.EncodeToString([]byte(odd))}, true},
		{"none", "/graphql", nil, false},
		{"none on its own path", "/graphql/realtime", nil, false},
		{"no base64", "/graphql?header=%25", nil, false},
		{"no JSON", "/graphql?header=" + base64.StdEncoding.EncodeToString([]byte("ana")), nil, false},
		{"no object", "/graphql?header=" + base64.StdEncoding.EncodeToString([]byte(`["ana"]`)), nil, false},
		{"an API key", "/graphql/realtime", []string{"header-" + base64.RawURLEncoding.EncodeToString([]byte(`{"x-api-key":"da2-x","host":"stoa.test"}`))}, false},
		{"expired", "/graphql/realtime", []string{"header-" + base64.RawURLEncoding.EncodeToString([]byte(appSyncHeader("expired")))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, _, err := websocket.Dial(t.Context(), base+test.target, &websocket.DialOptions{Subprotocols: append([]string{"graphql-ws"}, test.protocols...)})
			if err != nil {
				t.Fatal("a refused upgrade is what clients cannot see:", err)
			}
			defer conn.CloseNow()
			if got := conn.Subprotocol(); got != "graphql-ws" {
				t.Errorf("subprotocol %q", got)
			}
			c := &wsClient{t, conn}
			if test.allowed {
				c.acknowledge()
				return
			}
			c.send(appSyncInit)
			c.expect(appSyncDeny)
			c.expectClose(websocket.StatusPolicyViolation, "Unauthorized")
		})
	}
}

// realtime 9.2#3: credentials that cannot be checked give an error of the connection.
func TestAppSyncCredentialsThatCannotBeChecked(t *testing.T) {
	base := newService(t, nil).listen(t)
	c := dialAppSync(t, base+"/graphql/realtime", "unreachable", nil)
	c.send(appSyncInit)
	c.expect(`{"type":"connection_error","payload":{"errors":[{"errorType":"InternalFailure","message":"ServerError: Internal server error","errorCode":500}]}}`)
	c.expectClose(websocket.StatusInternalError, "Internal server error")
	c = dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge()
	c.send(startMessage("1", onTick, "unreachable"))
	c.expect(`{"type":"error","id":"1","payload":{"errors":[{"errorType":"ServerError","message":"ServerError: Internal server error"}]}}`)
}

// realtime 9.2#12: a start before the acknowledgement is refused.
func TestAppSyncStartComesAfterTheAcknowledgement(t *testing.T) {
	c := dialAppSync(t, newService(t, nil).listen(t)+"/graphql/realtime", "ana", nil)
	c.send(startMessage("1", onTick, "ana"))
	c.expect(`{"type":"error","id":"1","payload":{"errors":[{"errorType":"BadRequestException","message":"send connection_init before start"}]}}`)
	c.acknowledge()
}

// Apps send their headers with the start message, in the handshake or as query parameters.
// realtime 8.1#7 and 9.1#14
func TestAppSyncKeepsWhatAppsSayOfThemselves(t *testing.T) {
	s := newService(t, nil)
	base := s.listen(t)
	c := dialAppSync(t, base+"/graphql/realtime?X-Real-Device=phone", "ana", nil).acknowledge()
	c.send(strings.Replace(startMessage("1", onTick, "ana"), `"host"`, `"x-real-version":"7","host"`, 1))
	c.expect(`{"type":"start_ack","id":"1"}`)
	if v := <-s.graph.Viewers; v.Client.Version != "7" || v.Client.Device != "phone" {
		t.Errorf("the client is %+v", v.Client)
	}
}

// Clients treat errors next to data as the end of the subscription, and ignore null data.
// realtime 9.2#7
func TestAppSyncData(t *testing.T) {
	s := newService(t, nil)
	c := dialAppSync(t, s.listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	c.send(startMessage("s", `subscription{onTick(userId:"`+ana+`"){number label}}`, "ana"))
	c.expect(`{"type":"start_ack","id":"s"}`)
	for _, step := range []struct {
		tick *testgraph.Tick
		want string
	}{
		{&testgraph.Tick{Number: 1}, `{"id":"s","type":"data","payload":{"data":{"onTick":{"number":1,"label":"tick 1"}}}}`},
		{&testgraph.Tick{Number: 13}, `{"id":"s","type":"data","payload":{"data":{"onTick":{"number":13,"label":null}}}}`},
	} {
		s.graph.Ticks <- step.tick
		c.expect(step.want)
	}
	close(s.graph.Ticks)
	c.expect(`{"id":"s","type":"error","payload":{"errors":[{"errorType":"ClientError","message":"ClientError: The subscription has ended"}]}}`)
}

// realtime 9.2#10: no data follow the answer to a stop.
func TestNothingFollowsAppSyncsStop(t *testing.T) {
	s := newService(t, nil)
	c := dialAppSync(t, s.listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	c.send(startMessage("s", onTick, "ana"))
	c.expect(`{"type":"start_ack","id":"s"}`)
	c.send(`{"id":"s","type":"stop"}`)
	c.expect(`{"type":"complete","id":"s"}`)
	<-s.graph.Unsubscribed
	s.graph.Ticks <- &testgraph.Tick{Number: 1}
	c.send(`{"type":"connection_init"}`)
	c.expect(appSyncAck)
}

// realtime 9.2#11,17: a connection carries at most 100 subscriptions.
func TestAppSyncCountsSubscriptions(t *testing.T) {
	c := dialAppSync(t, newService(t, nil).listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	for i := range 100 {
		c.send(startMessage(fmt.Sprint(i), onTick, "ana"))
		c.expect(fmt.Sprintf(`{"type":"start_ack","id":"%d"}`, i))
		c.send(startMessage("foreign", `subscription{onTick(userId:"other"){number}}`, "ana"))
		if got := c.receive(); !strings.Contains(got, "FORBIDDEN") {
			t.Fatalf("a start that is refused counts: %s", got)
		}
	}
	c.send(startMessage("more", onTick, "ana"))
	c.expect(
		`{"type":"error","id":"more","payload":{"errors":[{"message":"Max number of 100 subscriptions reached","errorType":"MaxSubscriptionsReachedError",` +
			`"errorInfo":null,"data":null,"path":null,"locations":null,
		"extensions":{"code":"TOO_MANY_OPERATIONS","errorType":"MaxSubscriptionsReachedError","errorInfo":null}}]}}`,
	)
}

// realtime 9.2#15,18: forbidden starts do not count towards the rate limit, others do.
func TestAppSyncStartsTooFast(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 2, Every: time.Hour} })
	c := dialAppSync(t, s.listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	for range 5 {
		c.send(startMessage("foreign", `subscription{onTick(userId:"other"){number}}`, "ana"))
		if got := c.receive(); !strings.Contains(got, "FORBIDDEN") {
			t.Errorf("a foreign start is answered %s", got)
		}
	}
	for _, id := range []string{"1", "2"} {
		c.send(startMessage(id, onTick, "ana"))
		c.expect(`{"type":"start_ack","id":"` + id + `"}`)
	}
	c.send(startMessage("3", onTick, "ana"))
	c.expect(`{"type":"error","id":"3","payload":{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}}`)
	c.send(`{"id":"3","type":"stop"}`) // of which nothing is left
	c.send(appSyncInit)
	c.expect(appSyncAck)
}

// A start above the rate limit is refused before it is examined, whoever it is said to be
// from, and one that is refused for what it contains counts (realtime 9.2#18).
func TestAppSyncStartsAreLimitedBeforeTheyAreExamined(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 2, Every: time.Hour} })
	c := dialAppSync(t, s.listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	for range 2 {
		c.send(startMessage("invalid", `subscription{unknown}`, "ana"))
		if got := c.receive(); !strings.Contains(got, "GRAPHQL_VALIDATION_FAILED") {
			t.Errorf("an invalid start is answered %s", got)
		}
	}
	for _, message := range []string{
		startMessage("s", onTick, "ana"),
		startMessage("s", onTick, "expired"),
		startMessage("s", `subscription{unknown}`, "ana"),
		startMessage("s", `subscription{onTick(userId:"other"){number}}`, "ana"),
		`{"id":"s","type":"start","payload":{}}`,
	} {
		c.send(message)
		c.expect(`{"type":"error","id":"s","payload":{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}}`)
	}
}

// Forbidden starts are all answered alike, and beyond the rate limit a little later each.
func TestForbiddenAppSyncStartsAreSlowedDown(t *testing.T) {
	limited := func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 2, Every: time.Hour} }
	inMemory(t, limited, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		c := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		for i, wait := range []time.Duration{0, 0, 0, 100 * time.Millisecond, 100 * time.Millisecond} {
			began := time.Now()
			c.send(startMessage("foreign", `subscription{onTick(userId:"other"){number}}`, "ana"))
			if got := c.receive(); !strings.Contains(got, "FORBIDDEN") {
				t.Errorf("a foreign start is answered %s", got)
			}
			if took := time.Since(began); took != wait {
				t.Errorf("start %d is answered after %v, want %v", i, took, wait)
			}
		}
		c.send(startMessage("own", onTick, "ana"))
		c.expect(`{"type":"start_ack","id":"own"}`)
	})
}

// realtime 3#2: a subscription does not wait for running operations of its user.
func TestSubscriptionsWaitForNoTurn(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Limits.UserOperations = 1 })
	base := s.listen(t)
	busy := dial(t, base+"/graphql", nil).initialise()
	busy.send(subscribeMessage("1", `{wait}`))
	<-s.graph.Waiting
	appSync := dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge()
	appSync.send(startMessage("s", onTick, "ana"))
	appSync.expect(`{"type":"start_ack","id":"s"}`)
	busy.send(subscribeMessage("2", onTick))
	stream := openStream(t, http.DefaultClient, call(t, "POST", base+"/graphql", document(t, onTick, nil)))
	stream.expect(alive)
	for range 3 {
		<-s.graph.Subscribed
	}
	s.graph.Release <- struct{}{}
}

func TestSubscriptionsOfOneUserAreCounted(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Limits.UserSubscriptions = 2 })
	base := s.listen(t)
	first := dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge()
	second := dial(t, base+"/graphql", nil).initialise()
	first.send(startMessage("1", onTick, "ana"))
	first.expect(`{"type":"start_ack","id":"1"}`)
	second.send(subscribeMessage("2", onTick))
	<-s.graph.Subscribed
	<-s.graph.Subscribed
	for n := 0; n < 2; _, n = s.Load() { // until both have been counted
		time.Sleep(time.Millisecond)
	}
	first.send(startMessage("3", onTick, "ana"))
	if got := first.receive(); !strings.Contains(got, "Max number of 2 subscriptions reached") {
		t.Error(got)
	}
	<-s.graph.Unsubscribed
	second.send(`{"id":"2","type":"complete"}`)
	<-s.graph.Unsubscribed
	for range 100 { // until the end has been counted
		first.send(startMessage("3", onTick, "ana"))
		if got := first.receive(); strings.Contains(got, "start_ack") {
			return
		}
	}
	t.Error("a subscription that has ended still counts")
}

// realtime 9.2#4: keep-alive frames come at once and every minute.
func TestAppSyncKeepAlive(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		c := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		began := time.Now()
		c.send(startMessage("s", onTick, "ana"))
		c.expect(`{"type":"start_ack","id":"s"}`)
		go func() {
			for range 10 { // data are no sign of life to these clients
				time.Sleep(9 * time.Second)
				s.graph.Ticks <- &testgraph.Tick{Number: 1}
			}
		}()
		var signs []time.Duration
		for len(signs) < 3 {
			if c.receive() == appSyncKA {
				signs = append(signs, time.Since(began))
			}
		}
		if want := []time.Duration{30 * time.Second, 60 * time.Second, 90 * time.Second}; !slices.Equal(signs, want) {
			t.Errorf("signs of life after %v", signs)
		}
		c.conn.CloseNow()
	})
}

func TestAppSyncInitTimeout(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		c := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client())
		c.expectClose(websocket.StatusPolicyViolation, "Connection initialisation timeout")
	})
}

// Subscriptions end when their token becomes invalid, in the way that the clients of each
// protocol understand. realtime 9.2#20
func TestListenersEndWithTheirCredentials(t *testing.T) {
	inMemory(t, func(c *server.Config) { c.Authenticator = expiring(time.Now().Add(time.Hour)) }, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		old := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		old.send(startMessage("s", onTick, "ana"))
		old.expect(`{"type":"start_ack","id":"s"}`)
		current := net.dialWS(t).initialise()
		current.send(subscribeMessage("s", onTick))
		stream := openStream(t, net.client(), call(t, "POST", "http://stoa.test/graphql", document(t, onTick, nil)))
		stream.expect(alive)
		for range 3 {
			<-s.graph.Subscribed
		}
		began := time.Now()
		sseEnded, wsEnded := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(sseEnded)
			for block := stream.block(); block != ""; block = stream.block() {
				if block != alive {
					t.Errorf("the stream says %q: its client would not come back", block)
				}
			}
		}()
		go func() {
			defer close(wsEnded)
			current.expectClose(4403, "Forbidden")
		}()
		var said []string
		var closed error
		for closed == nil {
			var message []byte
			if _, message, closed = old.conn.Read(t.Context()); closed == nil && string(message) != appSyncKA {
				said = append(said, string(message))
			}
		}
		if len(said) != 1 {
			t.Fatalf("got %q", said)
		}
		sameJSON(
			t,
			said[0],
			`{"id":"s","type":"error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"Token has expired.","extensions":{"code":"UNAUTHENTICATED"}}]}}`,
		)
		if got := closeOf(closed); got.Code != websocket.StatusPolicyViolation {
			t.Errorf("closed with %v", closed)
		}
		<-wsEnded
		<-sseEnded
		if late := time.Since(began) - time.Hour; late < 0 || late > 20*time.Second {
			t.Errorf("they ended %v after the token", late)
		}
	})
}

// A start that is repeated with a newer token goes on with that, and belongs to one caller.
func TestARepeatedStartRenewsItsToken(t *testing.T) {
	until := func(c *server.Config) { c.Authenticator = renewable(time.Now().Add(time.Minute)) }
	inMemory(t, until, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		c := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		c.send(startMessage("s", onTick, "old"))
		c.expect(`{"type":"start_ack","id":"s"}`)
		c.send(startMessage("s", onTick, "ana"))
		c.expect(`{"type":"start_ack","id":"s"}`)
		<-s.graph.Subscribed
		for range 3 {
			c.expect(appSyncKA) // one each 30 seconds
		}
		s.graph.Ticks <- &testgraph.Tick{Number: 5}
		c.expect(`{"type":"data","id":"s","payload":{"data":{"onTick":{"number":5}}}}`)
		c.send(startMessage("s", onTick, "ben"))
		if got := c.receive(); !strings.Contains(got, "DuplicatedOperationError") {
			t.Errorf("the start of another caller is answered %s", got)
		}
	})
}

// renewable is an authenticator with one token of ana that expires, one that does not, and one
// of somebody else.
type renewable time.Time

func (r renewable) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	switch authorization {
	case "old":
		if !time.Now().Before(time.Time(r)) {
			authorization = "expired"
		} else {
			authorization = "ana"
		}
	case "ben":
		return "us-east-1:bbbbbbbb-0000-4000-8000-000000000002", nil
	}
	return tokens{}.Authenticate(ctx, authorization)
}

// expiring is an authenticator whose only token expires.
type expiring time.Time

func (e expiring) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	if time.Now().Before(time.Time(e)) {
		return tokens{}.Authenticate(ctx, authorization)
	}
	return tokens{}.Authenticate(ctx, "expired")
}

// A client that does not read is disconnected; others are not delayed meanwhile.
func TestOneThatDoesNotReadHoldsUpNobody(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		deaf := dialAppSync(t, "ws://stoa.test/graphql/realtime", "ana", net.client()).acknowledge()
		deaf.send(startMessage("s", onTick, "ana"))
		deaf.expect(`{"type":"start_ack","id":"s"}`)
		<-s.graph.Subscribed
		s.flood(t)
	})
}

// A subscription that missed events is closed rather than completed, so that the client
// reconnects and refetches.
func TestASubscriptionThatMissesEventsIsClosed(t *testing.T) {
	s := newService(t, nil)
	s.graph.Bus = &bus.Local{}
	appSync, transport, stream := subscribeByAll(t, s.listen(t))
	for range 3 {
		<-s.graph.Subscribed
	}
	for range 1000 { // which nobody takes from the bus
		if err := s.graph.Bus.Publish(t.Context(), "ticks", bus.Unknown, nil); err != nil {
			t.Fatal(err)
		}
	}
	appSync.expectClose(websocket.StatusTryAgainLater, "events are read too slowly: connect again")
	transport.expectClose(websocket.StatusTryAgainLater, "events are read too slowly: connect again")
	if got := stream.block(); got != "" {
		t.Errorf("the stream says %q: its client would not come back", got)
	}
}
