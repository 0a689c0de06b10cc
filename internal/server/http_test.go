package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/server"
)

const (
	jsonType     = "application/json; charset=utf-8"
	responseType = "application/graphql-response+json; charset=utf-8"
)

// realtime 8.2#1-4 and 12#5-6: which media type answers which `Accept` header.
func TestMediaTypes(t *testing.T) {
	url := newService(t, nil).listen(t) + "/graphql"
	for _, test := range []struct {
		accept string
		status int
		want   string
	}{
		{"", 200, jsonType},
		{"*/*", 200, jsonType},
		{"application/*", 200, jsonType},
		{"application/json", 200, jsonType},
		{"application/json; charset=utf-8", 200, jsonType},
		{"application/json, text/plain, */*", 200, jsonType},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, jsonType},
		{"application/graphql-response+json", 200, responseType},
		{"application/graphql-response+json, application/json;q=0.9", 200, responseType},
		{"application/graphql-response+json,application/json", 200, responseType},
		{"application/json, application/graphql-response+json", 200, jsonType},
		{"application/json;q=0.5, application/graphql-response+json", 200, responseType},
		{"application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed", 200, responseType},
		{"text/event-stream", 200, "text/event-stream; charset=utf-8"},
		{"text/event-stream, application/json", 200, "text/event-stream; charset=utf-8"},
		{"application/json, text/event-stream", 200, jsonType},
		{"text/html", 406, jsonType},
		{"application/xml;q=1", 406, jsonType},
		{"application/json;q=0", 406, jsonType},
	} {
		t.Run(test.accept, func(t *testing.T) {
			got := do(t, call(t, "POST", url, `{"query":"{__typename}"}`, "Accept", test.accept))
			if got.status != test.status || got.header.Get("Content-Type") != test.want {
				t.Errorf("got %d %s, want %d %s", got.status, got.header.Get("Content-Type"), test.status, test.want)
			}
		})
	}
}

// realtime 2#3, 8.1#2-5,7, 8.2#5,9 and 8.3#9-10: which requests are taken, and how others
// are refused.
func TestRequests(t *testing.T) {
	base := newService(t, nil).listen(t)
	const hello = `{"data":{"greeting":"Hello ben"}}`
	get := func(pairs ...string) string {
		values := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return "?" + values.Encode()
	}
	malformed := func(message string) string {
		text, _ := json.Marshal(message)
		return fmt.Sprintf(`{"errors":[{"errorType":"MalformedHttpRequestException","message":%s}]}`, text)
	}
	for _, test := range []struct {
		name, method, query, body string
		headers                   []string
		status                    int
		want                      string
		allow                     string
	}{
		{name: "post", method: "POST", body: `{"query":"{greeting(name:\"ben\")}"}`, status: 200, want: hello},
		{name: "post with everything", method: "POST", status: 200, want: hello,
			body: `{"query":"query A($n:String!){greeting(name:$n)} query B{__typename}","operationName":"A","variables":{"n":"ben"},"extensions":{"other":[1,{"a":null}]},"unknown":true}`},
		{name: "post with nulls", method: "POST", body: `{"query":"{greeting(name:\"ben\")}","operationName":null,"variables":null,"extensions":null}`, status: 200, want: hello},
		{name: "charset given", method: "POST", headers: []string{"Content-Type", "application/json; charset=UTF-8"}, body: `{"query":"{greeting(name:\"ben\")}"}`, status: 200,
			want: hello},
		{name: "unknown headers", method: "POST", headers: []string{"X-Amz-User-Agent", "aws-amplify/3", "X-Whatever", "1"}, body: `{"query":"{greeting(name:\"ben\")}"}`,
			status: 200, want: hello},
		{name: "client headers", method: "POST", headers: []string{"X-Real-Version", "7.1"}, body: `{"query":"{viewer{userId version}}"}`, status: 200,
			want: `{"data":{"viewer":{"userId":"` + ana + `","version":"7.1"}}}`},
		{name: "bearer", method: "POST", headers: []string{"Authorization", "Bearer ana"}, body: `{"query":"{viewer{userId}}"}`, status: 200,
			want: `{"data":{"viewer":{"userId":"` + ana + `"}}}`},
		{name: "typename anywhere", method: "POST", body: `{"query":"{__typename viewer{__typename}}"}`, status: 200, want: `{"data":{"__typename":"Query",` +
			`"viewer":{"__typename":"Viewer"}}}`},

		{name: "get", method: "GET", query: get("query", `{greeting(name:"ben")}`), status: 200, want: hello},
		{name: "get with variables", method: "GET",
			query: get("query", `query A($n:String!){greeting(name:$n)} query B{__typename}`, "operationName", "A", "variables", `{"n":"ben"}`, "extensions", `{}`), status: 200,
			want: hello},
		{name: "get a mutation", method: "GET", query: get("query", `mutation{touch(note:"x")}`), status: 405, want: malformed("mutations must be sent by POST"), allow: "POST"},
		{name: "get without query", method: "GET", status: 400, want: malformed("`query` is missing: send the GraphQL document as a string")},
		{name: "get with bad variables", method: "GET", query: get("query", "{__typename}", "variables", "{"), status: 400, want: malformed("parameter `variables`: JSON ends early")},
		{name: "get with a list of variables", method: "GET", query: get("query", "{__typename}", "variables", "[1]"), status: 400, want: malformed("parameter `variables`: " +
			"`variables` must be a JSON object")},

		{name: "put", method: "PUT", body: `{}`, status: 405, want: malformed("GraphQL is served by POST and GET"), allow: "GET, POST"},
		{name: "delete", method: "DELETE", status: 405, want: malformed("GraphQL is served by POST and GET"), allow: "GET, POST"},

		{name: "no content type", method: "POST", headers: []string{"Content-Type", ""}, body: `{"query":"{__typename}"}`, status: 415,
			want: malformed("send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding")},
		{name: "form", method: "POST", headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, body: `query={__typename}`, status: 415,
			want: malformed("send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding")},
		{name: "latin", method: "POST", headers: []string{"Content-Type", "application/json; charset=latin1"}, body: `{"query":"{__typename}"}`, status: 415,
			want: malformed("send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding")},
		{name: "compressed", method: "POST", headers: []string{"Content-Encoding", "gzip"}, body: `{"query":"{__typename}"}`, status: 415,
			want: malformed("send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding")},

		{name: "empty body", method: "POST", status: 400, want: malformed("request is empty")},
		{name: "not JSON", method: "POST", body: `query`, status: 400, want: malformed("not valid JSON: invalid character 'q' looking for beginning of value, at byte 1")},
		{name: "a list", method: "POST", body: `[{"query":"{__typename}"}]`, status: 400, want: malformed("request must be a JSON object")},
		{name: "cut off", method: "POST", body: `{"query":"{__typename}"`, status: 400, want: malformed("JSON ends early")},
		{name: "something behind", method: "POST", body: `{"query":"{__typename}"} x`, status: 400, want: malformed("not valid JSON: something follows the value at byte 25")},
		{name: "no query", method: "POST", body: `{"variables":{}}`, status: 400, want: malformed("`query` is missing: send the GraphQL document as a string")},
		{name: "null query", method: "POST", body: `{"query":null}`, status: 400, want: malformed("`query` is missing: send the GraphQL document as a string")},
		{name: "query of another type", method: "POST", body: `{"query":{}}`, status: 400, want: malformed("`query` must be a string")},
		{name: "operation name of another type", method: "POST", body: `{"query":"{__typename}","operationName":1}`, status: 400, want: malformed("`operationName` must be a string")},
		{name: "variables of another type", method: "POST", body: `{"query":"{__typename}","variables":"{}"}`, status: 400, want: malformed("`variables` must be an object or null")},
		{name: "extensions of another type", method: "POST", body: `{"query":"{__typename}","extensions":[]}`, status: 400, want: malformed("`extensions` must be an object or null")},
		{name: "bad UTF-8", method: "POST", body: "{\"query\":\"{__typename} # \xff\"}", status: 400, want: malformed("not valid UTF-8")},

		{name: "no credentials", method: "POST", headers: []string{"Authorization", ""}, body: `{"query":"{__typename}"}`, status: 401,
			want: `{"errors":[{"errorType":"UnauthorizedException","message":"Valid authorization header not provided.","extensions":{"code":"UNAUTHENTICATED"}}]}`},
		{name: "expired token", method: "POST", headers: []string{"Authorization", "expired"}, body: `{"query":"{__typename}"}`, status: 401,
			want: `{"errors":[{"errorType":"UnauthorizedException","message":"Token has expired.","extensions":{"code":"UNAUTHENTICATED"}}]}`},
		{name: "bad token and bad body", method: "POST", headers: []string{"Authorization", "x"}, body: `{`, status: 401,
			want: `{"errors":[{"errorType":"UnauthorizedException","message":"Unable to parse JWT token","extensions":{"code":"UNAUTHENTICATED"}}]}`},
		{name: "keys unreachable", method: "POST", headers: []string{"Authorization", "unreachable"}, body: `{"query":"{__typename}"}`, status: 500,
			want: `{"errors":[{"errorType":"ServerError","message":"ServerError: Internal server error"}]}`},
	} {
		for _, accept := range []string{"application/json", "application/graphql-response+json"} {
			t.Run(test.name+" as "+accept, func(t *testing.T) {
				r := call(t, test.method, base+"/graphql"+test.query, test.body, append(test.headers, "Accept", accept)...)
				got := do(t, r)
				if got.status != test.status {
					t.Errorf("status %d, want %d", got.status, test.status)
				}
				if kind := got.header.Get("X-Amzn-Errortype"); (got.status >= 400) != (kind != "") || !strings.Contains(got.body, kind) {
					t.Errorf("X-Amzn-ErrorType is %q", kind)
				}
				if got.header.Get("Allow") != test.allow {
					t.Errorf("Allow is %q, want %q", got.header.Get("Allow"), test.allow)
				}
				if !strings.HasPrefix(got.header.Get("Content-Type"), accept) {
					t.Errorf("Content-Type is %s", got.header.Get("Content-Type"))
				}
				sameJSON(t, got.body, test.want)
			})
		}
	}
}

// Outcomes of a well-formed request, whose status depends on the media type.
// realtime 8.2#6-8 and 8.3#1-8,11
func TestOutcomes(t *testing.T) {
	base := newService(t, nil).listen(t)
	failed := func(message, errorType, code, info string, path, at string) string {
		return fmt.Sprintf(`{"message":%q,"errorType":%q,"errorInfo":%s,"data":null,"path":[%s],"locations":[{%s,"sourceName":null}],
			"extensions":{"code":%q,"errorType":%q,"errorInfo":%s}}`, message, errorType, info, path, at, code, errorType, info)
	}
	invalid := func(message, at string) string {
		locations := "null"
		if at != "" {
			locations = "[{" + at + `,"sourceName":null}]`
		}
		return fmt.Sprintf(`{"errors":[{"message":%q,"errorType":"ValidationError","errorInfo":null,"data":null,"path":null,"locations":%s,
			"extensions":{"code":"GRAPHQL_VALIDATION_FAILED","errorType":"ValidationError","errorInfo":null}}]`, message, locations)
	}
	for _, test := range []struct {
		name, body string
		// want is the whole response or, for requests that were not executed, the response
		// without data.
		want        string
		notExecuted bool
	}{
		{name: "refused by a rule", body: `{"query":"{greeting(name:\"a\") fail(how:CLIENT)}"}`,
			want: `{"data":{"greeting":"Hello a","fail":null},"errors":[` +
				failed("ClientError: User `us-east-1:x` is not ACTIVE", "ClientError", "INVALID", "null", `"fail"`, `"line":1,"column":21`) + `]}`},
		{name: "refused with codes", body: `{"query":"{x:fail(how:CLIENT_WITH_INFO)}"}`,
			want: `{"data":{"x":null},"errors":[` +
				failed("ClientError: Name is required", "ClientError", "INVALID", `["MISSING_FULL_NAME"]`, `"x"`, `"line":1,"column":2`) + `]}`},
		{name: "our fault", body: `{"query":"{fail(how:SERVER)}"}`,
			want: `{"data":{"fail":null},"errors":[` +
				failed("ServerError: Internal server error", "ServerError", "INTERNAL", "null", `"fail"`, `"line":1,"column":2`) + `]}`},
		{name: "our fault with a text that clients know", body: `{"query":"{fail(how:SERVER_WITH_TEXT)}"}`,
			want: `{"data":{"fail":null},"errors":[` +
				failed("ServerError: AppStore responded with status `21005`", "ServerError", "INTERNAL", "null", `"fail"`, `"line":1,"column":2`) + `]}`},
		{name: "our panic", body: `{"query":"{fail(how:PANIC)}"}`,
			want: `{"data":{"fail":null},"errors":[` +
				failed("ServerError: Internal server error", "ServerError", "INTERNAL", "null", `"fail"`, `"line":1,"column":2`) + `]}`},
		{name: "null to the root", body: `{"query":"{greeting(name:\"a\") mustFail(how:CLIENT)}"}`,
			want: `{"data":null,"errors":[` +
				failed("ClientError: User `us-east-1:x` is not ACTIVE", "ClientError", "INVALID", "null", `"mustFail"`, `"line":1,"column":21`) + `]}`},
		{name: "bad scalar", body: `{"query":"query($w:Word!){greeting(name:\"a\") word(value:$w)}","variables":{"w":"A1"}}`, notExecuted: true,
			want: invalid(`Validation error of type WrongType: variable w is wrong: Word "A1" has other characters than a to z`, `"line":1,"column":7`)},
		{name: "bad scalar in the text", body: `{"query":"{greeting(name:\"a\") word(value:12)}"}`, notExecuted: true,
			want: invalid("Validation error of type WrongType: Word must be a string, not int64", `"line":1,"column":32`)},
		{name: "mutation", body: `{"query":"mutation{touch(note:\"n\")}"}`, want: `{"data":{"touch":"n"}}`},

		{name: "unknown field", body: `{"query":"{nope}"}`, notExecuted: true,
			want: invalid(`Validation error of type FieldUndefined: Cannot query field "nope" on type "Query".`, `"line":1,"column":2`)},
		{name: "no operation", body: `{"query":""}`, notExecuted: true, want: invalid("Validation error of type InvalidSyntax: the document holds no operation", "")},
		{name: "unknown operation name", body: `{"query":"query A{__typename}","operationName":"B"}`, notExecuted: true,
			want: invalid("Validation error of type UnknownOperation: the document holds no operation named 'B'", "")},
		{name: "operation name missing", body: `{"query":"query A{__typename} query B{__typename}"}`, notExecuted: true,
			want: invalid("Validation error of type UnknownOperation: `operationName` is missing: the document holds several operations", "")},
		{name: "variable missing", body: `{"query":"query($n:String!){greeting(name:$n)}"}`, notExecuted: true,
			want: invalid("Validation error of type WrongType: variable n must be defined", `"line":1,"column":7`)},
		{name: "variable null", body: `{"query":"query($n:String!){greeting(name:$n)}","variables":{"n":null}}`, notExecuted: true,
			want: invalid("Validation error of type WrongType: variable n cannot be null", `"line":1,"column":7`)},
		{name: "variable of another type", body: `{"query":"query($n:String!){greeting(name:$n)}","variables":{"n":5}}`, notExecuted: true,
			want: invalid("Validation error of type WrongType: variable n must be String, not a number", `"line":1,"column":7`)},
		{name: "fraction for an integer", body: `{"query":"query($n:Int){items(limit:$n){itemId}}","variables":{"n":1.5}}`, notExecuted: true,
			want: invalid("Validation error of type WrongType: variable n must be Int, not a decimal number", `"line":1,"column":7`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := do(t, call(t, "POST", base+"/graphql", test.body, "Accept", "application/json"))
			want := test.want
			if test.notExecuted {
				want += `,"data":null}`
			}
			if got.status != 200 {
				t.Errorf("status %d for application/json, want 200", got.status)
			}
			sameJSON(t, got.body, want)

			got = do(t, call(t, "POST", base+"/graphql", test.body, "Accept", "application/graphql-response+json"))
			want, status := test.want, 200
			if test.notExecuted {
				want, status = want+"}", 400
			}
			if got.status != status {
				t.Errorf("status %d for application/graphql-response+json, want %d", got.status, status)
			}
			sameJSON(t, got.body, want)
		})
	}
}

// realtime 8.3#11: clients get no details of a fault of the server.
func TestServerFaultsStayInTheLog(t *testing.T) {
	s := newService(t, nil)
	got := do(t, call(t, "POST", s.listen(t)+"/graphql", `{"query":"query Q($n:String!){greeting(name:$n) fail(how:SERVER) x:fail(how:PANIC)}","variables":{"n":"private words"}}`,
		"X-Request-Id", "req-7"))
	if strings.Contains(got.body, "disk on fire") || strings.Contains(got.body, "told to") {
		t.Errorf("the answer gives internals away: %s", got.body)
	}
	log := s.log.String()
	for _, want := range []string{"disk on fire at /var/secret", "panic: told to", "graph.go", `"request":"req-7"`, `"viewer":"` + ana + `"`, `"name":"Q"`, `"field":"greeting"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
	if strings.Contains(log, "private words") {
		t.Errorf("the log holds variables:\n%s", log)
	}
	if got.header.Get("X-Request-Id") != "req-7" {
		t.Errorf("X-Request-Id is %q", got.header.Get("X-Request-Id"))
	}
}

// realtime 8.1#6: a subscription by a plain request is refused.
func TestSubscriptionNeedsAStream(t *testing.T) {
	base := newService(t, nil).listen(t)
	query := `subscription{onTick(userId:"` + ana + `"){number}}`
	for _, r := range []*http.Request{
		call(t, "POST", base+"/graphql", document(t, query, nil)),
		call(t, "GET", base+"/graphql?query="+url.QueryEscape(query), ""),
	} {
		got := do(t, r)
		if got.status != 200 || !strings.Contains(got.body, `"errorType":"UnsupportedOperation"`) {
			t.Errorf("%s: got %d %s", r.Method, got.status, got.body)
		}
	}
}

// realtime 8.2#11: a body of more than the limit is refused.
func TestLimits(t *testing.T) {
	base := newService(t, func(c *server.Config) {
		c.Limits.BodyBytes = 4000
		c.Limits.Operation.Depth = 4
		c.Limits.Operation.Complexity = 201
		c.Limits.Operation.Tokens = 100
	}).listen(t)
	for _, test := range []struct {
		name, query string
		variables   map[string]any
		status      int
		want        string
	}{
		{name: "within all", query: `{items(limit:50){itemId text}}`, status: 200, want: `"item-49"`},
		{name: "too deep", query: `{viewer{friend{friend{friend{userId}}}}}`, status: 200,
			want: "Validation error of type MaxDepth: fields nest 5 levels deep, at most 4 are allowed: ask for the inner parts separately"},
		{name: "too deep by fragments", query: `{viewer{...A}} fragment A on Viewer{friend{...B}} fragment B on Viewer{friend{friend{userId}}}`, status: 200, want: "MaxDepth"},
		{name: "cycle of fragments", query: `{viewer{...A}} fragment A on Viewer{friend{...A}}`, status: 200, want: "Validation error of type FragmentCycle"},
		{name: "introspection may be deep", query: `{__schema{types{fields{type{ofType{ofType{name}}}}}}}`, status: 200, want: `"__schema"`},
		{name: "too dear", query: `{items(limit:100){itemId text liked}}`, status: 200, want: "the operation costs 301, at most 201 are allowed"},
		{name: "just affordable by default", query: `{items{itemId text liked author{userId} a:text b:text c:text d:text e:text}}`, status: 200, want: `"itemId":"item-19"`},
		{name: "too dear by default", query: `{items{itemId text liked author{userId} a:text b:text c:text d:text e:text f:text}}`, status: 200, want: "the operation costs 221"},
		{name: "too dear by variable", query: `query($n:Int){items(limit:$n){itemId text liked}}`, variables: map[string]any{"n": 67}, status: 200, want: "the operation costs 202"},
		{name: "affordable by variable", query: `query($n:Int){items(limit:$n){itemId}}`, variables: map[string]any{"n": 1}, status: 200,
			want: `{"data":{"items":[{"itemId":"item-0"}]}}`},
		{name: "too many tokens", query: "{" + strings.Repeat("__typename ", 100) + "}", status: 200, want: "exceeded token limit of 100"},
		{name: "too large", query: "{__typename} #" + strings.Repeat("x", 4000), status: 413, want: "the request body is larger than 4000 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := do(t, call(t, "POST", base+"/graphql", document(t, test.query, test.variables)))
			if got.status != test.status || !strings.Contains(got.body, test.want) {
				t.Errorf("got %d %s\nwant %d %s", got.status, got.body, test.status, test.want)
			}
		})
	}
	t.Run("too large and of unknown length", func(t *testing.T) {
		r := call(t, "POST", base+"/graphql", document(t, strings.Repeat("x", 4000), nil))
		r.ContentLength = -1
		if got := do(t, r); got.status != 413 {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
}

func TestExplodingFragmentsAreRefusedQuickly(t *testing.T) {
	base := newService(t, nil).listen(t)
	var query strings.Builder
	query.WriteString("query($n:Int){...F0}")
	for i := range 30 {
		fmt.Fprintf(&query, " fragment F%d on Query{a%d:items(limit:$n){itemId} ...F%d ...F%d}", i, i, i+1, i+1)
	}
	query.WriteString(" fragment F30 on Query{__typename}")
	got := do(t, call(t, "POST", base+"/graphql", document(t, query.String(), nil)))
	if !strings.Contains(got.body, "MaxComplexity") {
		t.Errorf("got %d %.300s", got.status, got.body)
	}
}

// realtime 8.2#11: too many requests are refused.
func TestRateLimit(t *testing.T) {
	base := newService(t, func(c *server.Config) { c.Rate = ratelimit.Limit{Burst: 1, Every: 90 * time.Second} }).listen(t)
	ask := func(token string) reply {
		return do(t, call(t, "POST", base+"/graphql", `{"query":"{__typename}"}`, "Authorization", token))
	}
	for token, first := range map[string]int{"ana": 200, "": 401} {
		if got := ask(token); got.status != first {
			t.Errorf("%q: got %d %s", token, got.status, got.body)
		}
		got := ask(token)
		if got.status != 429 || got.header.Get("Retry-After") != "90" {
			t.Errorf("%q: got %d, Retry-After %q", token, got.status, got.header.Get("Retry-After"))
		}
		sameJSON(t, got.body, `{"errors":[{"errorType":"LimitExceededError","message":"Rate limit exceeded"}]}`)
	}
	c := dial(t, base+"/graphql", nil).initialise()
	c.send(subscribeMessage("1", `{__typename}`))
	c.expect(`{"id":"1","type":"error","payload":[{"message":"Rate limit exceeded","errorType":"LimitExceededError","errorInfo":null,"data":null,"path":null,"locations":null,
		"extensions":{"code":"RATE_LIMITED","errorType":"LimitExceededError","errorInfo":null}}]}`)
}

func TestPersistedQueries(t *testing.T) {
	base := newService(t, nil).listen(t)
	const query = `{greeting(name:"ben")}`
	digest := sha256.Sum256([]byte(query))
	hash := hex.EncodeToString(digest[:])
	extensions := `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
	const hello = `{"data":{"greeting":"Hello ben"}}`
	for _, step := range []struct {
		name, method, target, body string
		status                     int
		want                       string
	}{
		{"unknown", "POST", "", `{` + extensions + `}`, 200, `"message":"PersistedQueryNotFound"`},
		{"registered with another text", "POST", "", `{"query":"{__typename}",` + extensions + `}`, 200, "is not the SHA-256 of `query`"},
		{"still unknown", "POST", "", `{` + extensions + `}`, 200, `"code":"PERSISTED_QUERY_NOT_FOUND"`},
		{"registered", "POST", "", `{"query":"{greeting(name:\"ben\")}",` + extensions + `}`, 200, hello},
		{"known", "POST", "", `{"query":null,` + extensions + `}`, 200, hello},
		{"known by GET", "GET", "?" + url.Values{"extensions": {strings.TrimPrefix(extensions, `"extensions":`)}}.Encode(), "", 200, hello},
		{"bad hash", "POST", "", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}}`, 400, "64 hexadecimal digits"},
		{"bad version", "POST", "", `{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"abc"}}}`, 400, "version` must be 1"},
	} {
		got := do(t, call(t, step.method, base+"/graphql"+step.target, step.body))
		if got.status != step.status || !strings.Contains(got.body, step.want) {
			t.Errorf("%s: got %d %s, want %d %s", step.name, got.status, got.body, step.status, step.want)
		}
	}
}

func TestIntrospectionCanBeOff(t *testing.T) {
	base := newService(t, func(c *server.Config) { c.Introspection = false }).listen(t)
	for query, want := range map[string]string{
		`{__schema{types{name}}}`:      "Validation error of type IntrospectionDisabled: field '__schema': introspection is disabled on this server; `stoa schema` prints the schema",
		`{__type(name:"Query"){name}}`: "IntrospectionDisabled",
		`{__typename}`:                 `{"data":{"__typename":"Query"}}`,
	} {
		if got := do(t, call(t, "POST", base+"/graphql", document(t, query, nil))); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s", query, got.body)
		}
	}
	got := do(t, call(t, "POST", base+"/graphql", `{"query":"{greting}"}`))
	if strings.Contains(got.body, "greeting") {
		t.Errorf("a message suggests a name: %s", got.body)
	}
}

func TestOperationsTimeOut(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Limits.Operation.Duration = time.Millisecond })
	got := do(t, call(t, "POST", s.listen(t)+"/graphql", `{"query":"{wait}"}`))
	if !strings.Contains(got.body, `"message":"ServerError: Execution timed out"`) {
		t.Error(got.body)
	}
}

// A response that takes too long to write is abandoned, with and without a plan.
func TestAnswersAreBoundedInTime(t *testing.T) {
	base := newService(t, func(c *server.Config) {
		c.Limits.Operation.Duration, c.Limits.Operation.AnswerBytes = 10*time.Millisecond, 1<<40
	}).listen(t)
	var aliases strings.Builder
	for i := range 300 {
		fmt.Fprintf(&aliases, " a%d:text", i)
	}
	for name, query := range map[string]string{
		"planned": `{items(limit:5000){` + aliases.String() + `}}`,
		"without a plan": `query($a:Boolean=true,$b:Boolean=true,$c:Boolean=true,$d:Boolean=true,$e:Boolean=true,$f:Boolean=true,$g:Boolean=true,$h:Boolean=true,$i:Boolean=true){
			items(limit:5000){text @include(if:$a) itemId @include(if:$b) likeCount @include(if:$c) b1:text @include(if:$d) b2:text @include(if:$e) b3:text @include(if:$f) ` +
			`b4:text @include(if:$g) b5:text @include(if:$h) b6:text @include(if:$i)` + aliases.String() + `}}`,
	} {
		got := do(t, call(t, "POST", base+"/graphql", document(t, query, nil)))
		if len(got.body) > 1000 {
			t.Errorf("%s: %d bytes were written", name, len(got.body))
			continue
		}
		sameJSON(t, got.body, `{"data":null,"errors":[{"message":"ServerError: Execution timed out","errorType":"ServerError","errorInfo":null,"data":null,
			"path":null,"locations":null,"extensions":{"code":"TIMEOUT","errorType":"ServerError","errorInfo":null}}]}`)
	}
}

// Operations with the maximum cost, or with a price of 50 ms, run one at a time for each user,
// and two at a time for each address without credentials.
func TestDearOperationsTakeTurns(t *testing.T) {
	for _, test := range []struct {
		name, token string
		change      func(*server.Config)
		atOnce      int
	}{
		{"cost", "ana", func(c *server.Config) { c.Limits.Operation.Complexity = 4 }, 1},
		{"price", "ana", func(c *server.Config) { c.Systems[0].Prices = map[string]int{"Query.wait": 2_500} }, 1},
		{"strangers", "", func(c *server.Config) {
			c.Systems[0].Prices = map[string]int{"Query.wait": 2_500}
			c.Systems[0].Public = func(string, string) bool { return true }
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			inMemory(t, func(c *server.Config) {
				c.Limits.UserOperations = 4
				test.change(c)
			}, func(t *testing.T, s *service, net *memoryNet, _ func()) {
				ask := func(query string) <-chan string {
					answered := make(chan string, 1)
					go func() {
						r, err := net.client().Do(call(t, "POST", "http://stoa.test/graphql", document(t, query, nil), "Authorization", test.token))
						if err != nil {
							answered <- err.Error()
							return
						}
						defer r.Body.Close()
						body, _ := io.ReadAll(r.Body)
						answered <- string(body)
					}()
					synctest.Wait()
					return answered
				}
				var dear []<-chan string
				for range test.atOnce {
					dear = append(dear, ask(`{a:wait b:wait c:wait d:wait}`))
				}
				cheap := ask(`{greeting(name:"ben")}`)
				if len(cheap) > 0 {
					t.Errorf("beside operations that cost as much as may be: %s", <-cheap)
				}
				if n := len(s.graph.Waiting); n != 4*test.atOnce {
					t.Errorf("%d fields run, want %d", n, 4*test.atOnce)
				}
				for range 4 * test.atOnce {
					s.graph.Release <- struct{}{}
				}
				for _, answered := range dear {
					sameJSON(t, <-answered, `{"data":{"a":"done","b":"done","c":"done","d":"done"}}`)
				}
				sameJSON(t, <-cheap, `{"data":{"greeting":"Hello ben"}}`)

				half := ask(`{wait}`)
				sameJSON(t, <-ask(`{greeting(name:"ben")}`), `{"data":{"greeting":"Hello ben"}}`)
				s.graph.Release <- struct{}{}
				sameJSON(t, <-half, `{"data":{"wait":"done"}}`)
			})
		})
	}
}

// A request that keeps a processor busy counts as several, and so does a document that takes
// long to parse, also if it is refused.
func TestExpensiveRequestsCountAsSeveral(t *testing.T) {
	for name, query := range map[string]string{
		"price": `{greeting(name:"ben")}`, "text": `{__typename` + strings.Repeat(" ", 32<<10) + `}`, "refused text": `{nothing` + strings.Repeat(" ", 32<<10) + `}`,
	} {
		base := newService(t, func(c *server.Config) {
			c.Rate = ratelimit.Limit{Burst: 5, Every: time.Hour}
			c.Systems[0].Prices = map[string]int{"Query.greeting": 2_000}
		}).listen(t)
		for i, query := range []string{query, `{__typename}`, `{__typename}`, `{__typename}`} {
			got := do(t, call(t, "POST", base+"/graphql", document(t, query, nil)))
			if want := i < 3; want != (got.status == 200) {
				t.Errorf("%s: request %d got %d %s", name, i+1, got.status, got.body)
			}
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	const most = 100_000
	base := newService(t, func(c *server.Config) { c.Limits.Operation.AnswerBytes = most }).listen(t)
	var aliases strings.Builder
	for i := range 300 {
		fmt.Fprintf(&aliases, " a%d:text", i)
	}
	const tooLarge = `{"data":null,"errors":[{"message":"ClientError: The answer has more than 100000 bytes: ask for fewer fields or shorter lists",` +
		`"errorType":"ClientError","errorInfo":null,"data":null,
		"path":null,"locations":null,"extensions":{"code":"ANSWER_TOO_LARGE","errorType":"ClientError","errorInfo":null}}]}`
	for _, test := range []struct {
		name, query string
		fits        bool
	}{
		{"small", `{items(limit:100){text}}`, true},
		{"a long list", `{items(limit:20000){text}}`, false},
		{"many aliases", `{items(limit:50){` + aliases.String() + `}}`, false},
		{"several lists, each of which fits", `{a:items(limit:1500){text} b:items(limit:1500){text} c:items(limit:1500){text} d:items(limit:1500){text}}`, false},
		// Documents that select through many conditions are executed without a plan.
		{"without a plan", `query($a:Boolean=true,$b:Boolean=true,$c:Boolean=true,$d:Boolean=true,$e:Boolean=true,$f:Boolean=true,$g:Boolean=true,$h:Boolean=true,$i:Boolean=true){
			items(limit:20000){text @include(if:$a) itemId @include(if:$b) likeCount @include(if:$c) a1:text @include(if:$d) a2:text @include(if:$e) a3:text @include(if:$f) ` +
			`a4:text @include(if:$g) a5:text @include(if:$h) a6:text @include(if:$i)}}`, false},
		{"more errors than an answer", `{` + strings.Repeat(" ", 10) + failing(400) + `}`, false},
		{"a mutation", `mutation{touch(note:"` + strings.Repeat("x", most) + `")}`, false},
	} {
		got := do(t, call(t, "POST", base+"/graphql", document(t, test.query, nil)))
		if got.status != 200 {
			t.Errorf("%s: %d %.300s", test.name, got.status, got.body)
		}
		if test.fits {
			if strings.Contains(got.body, "errors") {
				t.Errorf("%s: %.300s", test.name, got.body)
			}
			continue
		}
		sameJSON(t, got.body, tooLarge)
	}
}

// failing returns a selection of fields that fail, each with an error of about 300 bytes.
func failing(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " f%d:fail(how:CLIENT)", i)
	}
	return b.String()
}

// Images are sent inline, in base64.
func TestABodyMayHaveTwoMebibytes(t *testing.T) {
	base := newService(t, nil).listen(t)
	const most = 2 << 20
	frame := len(document(t, `mutation{touch(note:"")}`, nil))
	for size, status := range map[int]int{most: 200, most + 1: 413} {
		body := document(t, `mutation{touch(note:"`+strings.Repeat("x", size-frame)+`")}`, nil)
		if len(body) != size {
			t.Fatalf("the test's body has %d bytes", len(body))
		}
		if got := do(t, call(t, "POST", base+"/graphql", body)); got.status != status {
			t.Errorf("%d bytes: %d %.200s", size, got.status, got.body)
		}
	}
}
