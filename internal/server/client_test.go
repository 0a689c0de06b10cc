package server_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/server"
)

func TestForwardedAddresses(t *testing.T) {
	const client, other, proxy, inner = "192.0.2.1", "192.0.2.2", "10.0.0.7", "10.0.0.8"
	for _, test := range []struct {
		name      string
		trusted   []string
		peer      string
		forwarded []string
		want      string
	}{
		{"no proxy is trusted", nil, proxy, []string{client}, proxy},
		{"a peer that is no proxy", []string{"10.0.0.0/8"}, other, []string{client}, other},
		{"a proxy", []string{"10.0.0.0/8"}, proxy, []string{client}, client},
		{"a proxy by its address", []string{proxy}, proxy, []string{client}, client},
		{"another address than the proxy's", []string{inner}, proxy, []string{client}, proxy},
		{"what the client claims", []string{"10.0.0.0/8"}, proxy, []string{other + ", " + client}, client},
		{"what the client claims in a header of its own", []string{"10.0.0.0/8"}, proxy, []string{other, client}, client},
		{"two proxies", []string{"10.0.0.0/8"}, proxy, []string{other + "," + client + "," + inner}, client},
		{"a proxy that forwards for nobody", []string{"10.0.0.0/8"}, proxy, nil, proxy},
		{"nonsense", []string{"10.0.0.0/8"}, proxy, []string{"unknown"}, proxy},
		{"nonsense before a proxy", []string{"10.0.0.0/8"}, proxy, []string{"unknown, " + inner}, inner},
		{"IPv6", []string{"fd00::/8"}, "fd00::1", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv4 in IPv6", []string{"10.0.0.0/8"}, "::ffff:10.0.0.7", []string{client}, client},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got string
			s := newService(t, func(c *server.Config) {
				c.TrustedProxies = test.trusted
				c.Mounts = map[string]http.Handler{"/whoami": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })}
			})
			r := httptest.NewRequest("GET", "/whoami", nil)
			r.RemoteAddr = net.JoinHostPort(test.peer, "1234")
			r.Header["X-Forwarded-For"] = test.forwarded
			s.ServeHTTP(httptest.NewRecorder(), r)
			if got != net.JoinHostPort(test.want, "1234") {
				t.Errorf("the client is %s, want %s", got, test.want)
			}
		})
	}
}

func TestStrangersAreCountedByAddress(t *testing.T) {
	s := newService(t, func(c *server.Config) {
		c.TrustedProxies = []string{"10.0.0.0/8"}
		c.Rate = ratelimit.Limit{Burst: 1, Every: time.Hour}
	})
	for _, step := range []struct {
		address string
		status  int
	}{{"192.0.2.1", 401}, {"192.0.2.1", 429}, {"192.0.2.2", 401}} {
		r := httptest.NewRequest("GET", "/graphql?query={__typename}", nil)
		r.RemoteAddr = "10.0.0.7:1234"
		r.Header.Set("X-Forwarded-For", step.address)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != step.status {
			t.Errorf("%s got %d, want %d", step.address, w.Code, step.status)
		}
	}
}

// DNS rebinding: pages loaded from a foreign host name that resolves to this machine are
// refused.
func TestNamesOfTheServer(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Hosts = []string{"stoa.test"} })
	for host, status := range map[string]int{
		"127.0.0.1:8080": 200, "[::1]:8080": 200, "::1": 200, "192.0.2.1": 200, "localhost:8080": 200, "app.localhost": 200, "LOCALHOST.": 200,
		"stoa.test:8080": 200, "Stoa.Test": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "": 421,
	} {
		r := call(t, "POST", "/graphql", `{"query":"{__typename}"}`)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%q got %d, want %d", host, w.Code, status)
		}
	}
}

func TestMetricsMayBeClosed(t *testing.T) {
	for open, status := range map[bool]int{true: 200, false: 404} {
		w := httptest.NewRecorder()
		newService(t, func(c *server.Config) { c.Metrics = open }).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		if w.Code != status {
			t.Errorf("open %t: got %d", open, w.Code)
		}
	}
}
