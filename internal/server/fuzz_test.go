package server

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzHeaders looks for headers, or their replacements in other places, that are slow to
// parse.
func FuzzHeaders(f *testing.F) {
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for _, value := range []string{
		"", `{"host":"a.example","Authorization":"ana"}`, encoded(`{"host":"a.example","Authorization":"ana"}`), "graphql-ws, header-" + encoded(`{"a":"b"}`),
		strings.Repeat("[", 90_000), encoded(strings.Repeat("[", 70_000)), encoded("{" + strings.Repeat(`"a":"b",`, 9000) + `"a":1}`), strings.Repeat("header-,", 12_000),
		`{"authorization":` + strings.Repeat(`{"authorization":`, 5000) + `1` + strings.Repeat("}", 5001), strings.Repeat("_-", 50_000), strings.Repeat(",", hostile.Size),
		"text/html, application/json;q=0.9, */*;q=0.1", strings.Repeat("application/json;q=0.1,", 4000), strings.Repeat("a/b;", 20_000), strings.Repeat(`a/b;c="`, 14_000),
		strings.Repeat(" ", hostile.Size),
		"10.0.0.1, 192.0.2.7", strings.Repeat("10.0.0.1,", 11_000), strings.Repeat("::1,", 25_000), strings.Repeat("a:b:", 25_000),
	} {
		f.Add(value)
	}
	proxies, err := parseProxies([]string{"10.0.0.0/8", "::1"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value string) {
		request := func(name string) *http.Request {
			r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
			r.Header[name] = []string{value}
			r.RemoteAddr = "10.1.2.3:4567"
			return r
		}
		for name, read := range map[string]func(){
			"subprotocols": func() { handshakeHeaders(request("Sec-Websocket-Protocol")) },
			"query": func() {
				r := request("X-A")
				r.URL.RawQuery = url.Values{"header": {value}, "payload": {value}}.Encode()
				handshakeHeaders(r)
			},
			"extensions":   func() { parseHeaders([]byte(value)) },
			"accept":       func() { negotiate([]string{value}) },
			"content type": func() { sendsJSON(value) },
			"upgrade":      func() { isUpgrade(request("Connection")); headerHas(request("Upgrade").Header, "Upgrade", "websocket") },
			"forwarded":    func() { proxies.clientOf(request("X-Forwarded-For")) },
			"host":         func() { newHosts([]string{"a.example"}).has(value) },
		} {
			if len(value) > hostile.Size {
				return
			}
			if took := hostile.Cost(read); took > hostile.Longest {
				t.Errorf("%s of %d bytes, %.100q, take %v", name, len(value), value, took)
			}
		}
	})
}
