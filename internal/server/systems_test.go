package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"stoa/internal/kit/refusal"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"stoa/internal/server"
	"stoa/internal/server/internal/testgraph"
)

func TestSystemsHavePathsOfTheirOwn(t *testing.T) {
	pantry := testgraph.New()
	base := newService(t, func(c *server.Config) {
		c.Playground = true
		second := server.System{Name: "pantry", Path: "/pantry/graphql", Schema: pantry.Schema(), OperationContext: testgraph.WithLoads}
		second.Limits.Depth = 1
		c.Systems = append(c.Systems, second)
	}).listen(t)
	const deep = `{"query":"{viewer{userId}}"}`
	if got := do(t, call(t, "POST", base+"/graphql", deep)); got.status != 200 || got.body != `{"data":{"viewer":{"userId":"`+ana+`"}}}` {
		t.Errorf("the first: %d %s", got.status, got.body)
	}
	if got := do(t, call(t, "POST", base+"/pantry/graphql", deep, "Accept", "application/graphql-response+json")); got.status != 400 {
		t.Errorf("the second is not bounded by its own limits: %d %s", got.status, got.body)
	}
	if got := do(t, call(t, "POST", base+"/pantry/graphql", `{"query":"mutation{touch(note:\"n\")}"}`)); got.body != `{"data":{"touch":"n"}}` || pantry.Notes.Load() != 1 {
		t.Errorf("the second: %d %s", got.status, got.body)
	}
	if got := do(t, call(t, "GET", base+"/playground/systems.json", "")); got.body != `[{"name":"test","path":"/graphql"},{"name":"pantry","path":"/pantry/graphql"}]` {
		t.Errorf("GraphiQL is told %s", got.body)
	}
	for _, path := range []string{"/pantry/graphql", "/pantry/graphql/realtime", "/pantry/realtime"} {
		c := dial(t, base+path, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}}).initialise()
		c.send(subscribeMessage("1", `{greeting(name:"ben")}`))
		c.expect(`{"id":"1","type":"next","payload":{"data":{"greeting":"Hello ben"}}}`)
	}
}

func TestPublicFieldsNeedNoCredentials(t *testing.T) {
	base := newService(t, func(c *server.Config) {
		c.Systems[0].Public = func(object, field string) bool {
			return object == "Query" && field == "greeting" || object == "Mutation" && field == "touch"
		}
	}).listen(t)
	const fine, refused = `{"data":{"greeting":"Hello ben"}}`, `{"errors":[{"errorType":"UnauthorizedException","message":"Valid authorization header not ` +
		`provided.","extensions":{"code":"UNAUTHENTICATED"}}]}`
	for _, test := range []struct {
		name, query, token string
		status             int
		want               string
	}{
		{"public", `{greeting(name:"ben")}`, "", 200, fine},
		{"public mutation", `mutation{touch(note:"n")}`, "", 200, `{"data":{"touch":"n"}}`},
		{"public in a fragment", `{...F} fragment F on Query{... on Query{greeting(name:"ben")}}`, "", 200, fine},
		{"public, with a token", `{greeting(name:"ben")}`, "ana", 200, fine},
		{"public, with a bad token", `{greeting(name:"ben")}`, "expired", 401, `{"errors":[{"errorType":"UnauthorizedException","message":"Token has ` +
			`expired.","extensions":{"code":"UNAUTHENTICATED"}}]}`},
		{"public mutation, with a bad token", `mutation{touch(note:"n")}`, "expired", 200, `{"data":{"touch":"n"}}`},
		{"not public", `{items{text}}`, "", 401, refused},
		{"not public behind one that is", `{greeting(name:"ben") viewer{userId}}`, "", 401, refused},
		{"not public in a fragment", `{greeting(name:"ben") ...F} fragment F on Query{viewer{userId}}`, "", 401, refused},
		{"the schema", `{__schema{types{name}}}`, "", 401, refused},
		{"no document", `{`, "", 401, refused},
	} {
		got := do(t, call(t, "POST", base+"/graphql", document(t, test.query, nil), "Authorization", test.token))
		if got.status != test.status || got.body != test.want {
			t.Errorf("%s: got %d %s", test.name, got.status, got.body)
		}
	}
}

// What strangers send is parsed before it is known whether they may ask for it.
func TestBodiesOfStrangersAreSmaller(t *testing.T) {
	s := newService(t, func(c *server.Config) {
		c.Systems[0].Public = func(_, field string) bool { return field == "touch" }
		c.Systems[0].BodyBytes = 8 << 20
	})
	body := document(t, `mutation{touch(note:"`+strings.Repeat("x", 3_000_000)+`")}`, nil)
	for token, want := range map[string]int{"": http.StatusRequestEntityTooLarge, "expired": http.StatusUnauthorized, "ana": http.StatusOK} {
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("with the token %q: %d, want %d", token, w.Code, want)
		}
	}
}

func TestIntrospectionWithoutCredentials(t *testing.T) {
	const types = `{__schema{queryType{name}}}`
	for name, test := range map[string]struct {
		open           bool
		admit          func(context.Context) error
		query, headers string
		want           int
	}{
		"closed":             {query: types, want: 401},
		"open":               {open: true, query: types, want: 200},
		"one type":           {open: true, query: `{__type(name:"Query"){name}}`, want: 200},
		"types and data":     {open: true, query: `{__schema{queryType{name}} __typename}`, want: 401},
		"data":               {open: true, query: `{__typename}`, want: 401},
		"no document":        {open: true, query: `{`, want: 401},
		"with a wrong token": {open: true, query: types, headers: "nobody", want: 401},
		"of a closed graph":  {open: true, query: types, admit: func(context.Context) error { return nil }, want: 401},
	} {
		s := newService(t, func(c *server.Config) { c.OpenIntrospection, c.Systems[0].Admit = test.open, test.admit })
		w := httptest.NewRecorder()
		s.ServeHTTP(w, call(t, "POST", "/graphql", document(t, test.query, nil), "Authorization", test.headers))
		if w.Code != test.want {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, test.want)
		}
	}
	s := newService(t, func(c *server.Config) { c.OpenIntrospection = true })
	w := httptest.NewRecorder()
	s.ServeHTTP(w, call(t, "POST", "/graphql", "no JSON", "Authorization", ""))
	if w.Code != 401 {
		t.Errorf("a malformed body: %d %s", w.Code, w.Body)
	}
}

// operator 1#2-3: whom a graph does not admit gets nothing of it, whatever the transport, and
// subscribers are asked about again at an interval of the graph's own.
func TestAGraphAdmitsWhomItWants(t *testing.T) {
	var shut atomic.Bool
	s := newService(t, func(c *server.Config) {
		c.Introspection = false
		c.Systems[0].Introspection, c.Systems[0].Recheck = true, 10*time.Millisecond
		c.Systems[0].Admit = func(context.Context) error {
			if shut.Load() {
				return &refusal.Error{Kind: refusal.Forbidden, Text: "not you", Info: []string{"NOBODY"}}
			}
			return nil
		}
	})
	base := s.listen(t)
	const types = `{__schema{queryType{name}}}`
	if got := do(t, call(t, "POST", base+"/graphql", document(t, types, nil))); got.body != `{"data":{"__schema":{"queryType":{"name":"Query"}}}}` {
		t.Errorf("introspection: %d %s", got.status, got.body)
	}
	appSync, transport, stream := subscribeByAll(t, base)
	shut.Store(true)
	transport.expectClose(4403, "Forbidden")
	if got := stream.block(); got != "" {
		t.Errorf("the stream says %q", got)
	}
	appSync.expect(`{"id":"s","type":"error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"Token has expired.","extensions":{"code":"UNAUTHENTICATED"}}]}}`)
	const refused = `{"data":null,"errors":[{"message":"ClientError: not you","errorType":"ClientError","errorInfo":["NOBODY"],"data":null,"path":null,"locations":null,` +
		`"extensions":{"code":"FORBIDDEN","errorType":"ClientError","errorInfo":["NOBODY"]}}]}`
	for _, query := range []string{types, `{__typename}`, `{`, onTick} {
		if got := do(t, call(t, "POST", base+"/graphql", document(t, query, nil))); got.body != refused {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
}
