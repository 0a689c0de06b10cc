package server_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/server"
)

func TestSettingsThatCannotWork(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*server.Config)
		want   string
	}{
		{"no system", func(c *server.Config) { c.Systems = nil }, "Systems is empty"},
		{"no authenticator", func(c *server.Config) { c.Authenticator = nil }, "Authenticator is missing"},
		{"long delay", func(c *server.Config) { c.EventDelay = 3 * time.Second }, "event-delay must lie between 0 and 2s"},
		{"negative delay", func(c *server.Config) { c.EventDelay = -1 }, "event-delay must lie between 0 and 2s"},
		{"origin without scheme", func(c *server.Config) { c.CORSOrigins = []string{"app.example"} }, `cors-origins: "app.example" is not an origin`},
		{"a proxy by name", func(c *server.Config) { c.TrustedProxies = []string{"proxy.example"} }, `trusted-proxies: "proxy.example" is neither an address nor a network`},
		{"origin with path", func(c *server.Config) { c.CORSOrigins = []string{"https://app.example/x"} }, "is not an origin"},
		{"origin with a question mark", func(c *server.Config) { c.CORSOrigins = []string{"https://app.example?"} }, "is not an origin"},
		{"origin in letters that browsers encode", func(c *server.Config) { c.CORSOrigins = []string{"https://bücher.example"} }, "write the host in ASCII, which begins with xn--"},
		{"origins by a pattern", func(c *server.Config) { c.CORSOrigins = []string{"https://*.app.example"} }, "is not an origin"},
	} {
		config := server.Config{Systems: []server.System{{Path: "/graphql", Schema: newService(t, nil).graph.Schema()}}, Authenticator: tokens{}}
		test.change(&config)
		if _, err := server.New(config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestPathsAroundTheGraph(t *testing.T) {
	var notReady error
	base := newService(t, func(c *server.Config) {
		c.Ready = func(context.Context) error { return notReady }
		c.Mounts = map[string]http.Handler{"/auth/": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("identity " + r.URL.Path))
		})}
	}).listen(t)
	for _, test := range []struct {
		path     string
		notReady error
		status   int
		want     string
	}{
		{"/livez", nil, 200, "ok\n"},
		{"/livez", errors.New("store is away"), 200, "ok\n"},
		{"/readyz", nil, 200, "ok\n"},
		{"/readyz", errors.New("store is away"), 503, "not ready\n"},
		{"/auth/me", nil, 200, "identity /auth/me"},
		{"/graphqlx", nil, 404, "404 page not found\n"},
	} {
		notReady = test.notReady
		if got := do(t, call(t, "GET", base+test.path, "")); got.status != test.status || got.body != test.want {
			t.Errorf("%s: got %d %q", test.path, got.status, got.body)
		}
	}
}

// A wrong method is refused as such, whatever page stands at "/".
func TestMethodsOfPathsAroundTheGraph(t *testing.T) {
	for name, front := range map[string]func(*server.Config){
		"none":       func(*server.Config) {},
		"playground": func(c *server.Config) { c.Playground = true },
		"site":       func(c *server.Config) { c.Site = fstest.MapFS{"index.html": {Data: []byte("app")}} },
	} {
		s := newService(t, func(c *server.Config) {
			c.Metrics = true
			c.Mounts = map[string]http.Handler{"GET /rules": http.NotFoundHandler(), "/auth/": http.NotFoundHandler()}
			front(c)
		})
		for _, path := range []string{"/livez", "/readyz", "/metrics", "/rules"} {
			for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
				w := httptest.NewRecorder()
				s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
				if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
					t.Errorf("front %s: %s %s answers %d, Allow %q", name, method, path, w.Code, w.Header().Get("Allow"))
				}
			}
		}
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, httptest.NewRequest("HEAD", "/livez", nil)); w.Code != http.StatusOK {
			t.Errorf("front %s: HEAD /livez answers %d", name, w.Code)
		}
	}
}

// A store that does not respond is not available.
func TestNotReadyInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, func(c *server.Config) {
			c.Ready = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		})
		began, answer := time.Now(), httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if took := time.Since(began); answer.Code != http.StatusServiceUnavailable || took > 5*time.Second {
			t.Errorf("answered %d after %v", answer.Code, took)
		}
	})
}

func TestMetrics(t *testing.T) {
	s := newService(t, func(c *server.Config) { c.Registry, c.Metrics = prometheus.NewRegistry(), true })
	base := s.listen(t)
	for _, query := range []string{`{greeting(name:"a")}`, `query Named{greeting(name:"b")}`, `{fail(how:CLIENT)}`, `{fail(how:SERVER)}`, `{nope}`, `mutation{touch(note:"x")}`} {
		do(t, call(t, "POST", base+"/graphql", document(t, query, nil)))
	}
	c := dial(t, base+"/graphql", nil).initialise()
	c.send(subscribeMessage("s", onTick))
	<-s.graph.Subscribed
	// The socket answers in order: after this response, the subscription has been counted.
	c.send(subscribeMessage("q", `{__typename}`))
	c.receive()
	got := do(t, call(t, "GET", base+"/metrics", "")).body
	for _, want := range []string{
		`stoa_operations_total{field="greeting",kind="query",outcome="ok",system="test"} 2`,
		`stoa_operations_total{field="fail",kind="query",outcome="client_error",system="test"} 1`,
		`stoa_operations_total{field="fail",kind="query",outcome="server_error",system="test"} 1`,
		`stoa_operations_total{field="touch",kind="mutation",outcome="ok",system="test"} 1`,
		`stoa_operation_seconds_count{field="greeting",kind="query",system="test"} 2`,
		`stoa_errors_total{code="GRAPHQL_VALIDATION_FAILED",system="test"} 1`,
		`stoa_errors_total{code="INTERNAL",system="test"} 1`,
		`stoa_subscriptions_open{field="onTick",system="test"} 1`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if strings.Contains(got, "Named") {
		t.Error("a client's text became a label")
	}
}

// realtime 8.1#8: which headers pages of other origins may send.
func TestCORS(t *testing.T) {
	const app = "https://app.example"
	for _, test := range []struct {
		name        string
		origins     []string
		origin      string
		allowed     string
		credentials string
	}{
		{"nobody", nil, app, "", ""},
		{"listed", []string{"https://other.example", app}, app, app, "true"},
		{"listed with the port of its scheme", []string{"https://App.example:443"}, app, app, "true"},
		{"listed with an empty port", []string{"https://app.example:"}, app, app, "true"},
		{"listed with another port", []string{"https://app.example:80"}, app, "", ""},
		{"not listed", []string{app}, "https://evil.example", "", ""},
		{"anybody", []string{"*"}, app, "*", ""},
		{"anybody and listed", []string{"*", app}, app, app, "true"},
		{"no origin", []string{app}, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := newService(t, func(c *server.Config) { c.CORSOrigins = test.origins }).listen(t)
			got := do(t, call(t, "POST", base+"/graphql", `{"query":"{__typename}"}`, "Origin", test.origin))
			if got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != test.allowed ||
				got.header.Get("Access-Control-Allow-Credentials") != test.credentials {
				t.Errorf("answer: %d %v", got.status, got.header)
			}
			if test.origin == "" {
				return
			}
			preflight := do(t, call(t, "OPTIONS", base+"/graphql", "", "Authorization", "", "Origin", test.origin, "Access-Control-Request-Method", "POST"))
			if preflight.status != 204 || preflight.header.Get("Access-Control-Allow-Origin") != test.allowed {
				t.Errorf("preflight: %d %v", preflight.status, preflight.header)
			}
			allowed := preflight.header.Get("Access-Control-Allow-Headers")
			for _, name := range []string{"authorization", "content-type", "x-real-version", "x-real-device", "x-real-system", "x-real-uid", "x-amz-user-agent", "x-api-key",
				"x-amz-date", "x-amz-security-token"} {
				if (test.allowed != "") != strings.Contains(allowed, name) {
					t.Errorf("preflight headers: %q", allowed)
				}
			}
		})
	}
}

func TestRequestIDs(t *testing.T) {
	base := newService(t, nil).listen(t)
	for given, kept := range map[string]bool{"abc-123": true, "": false, "two words": false, strings.Repeat("x", 129): false, `"quoted"`: false} {
		got := do(t, call(t, "GET", base+"/livez", "", "X-Request-Id", given)).header.Get("X-Request-Id")
		if (got == given) != kept || got == "" {
			t.Errorf("sent %q, got %q", given, got)
		}
	}
}

// The effects of a mutation must not overtake its response. chats 0.5#6 and realtime 3#6-7
func TestEffectsFollowTheAnswer(t *testing.T) {
	const touch = `mutation{touch(note:"n")}`
	for _, delay := range []time.Duration{0, 300 * time.Millisecond} {
		for _, transport := range []string{"http", "sse", "ws"} {
			t.Run(transport+" after "+delay.String(), func(t *testing.T) {
				inMemory(t, func(c *server.Config) { c.EventDelay = delay }, func(t *testing.T, s *service, net *memoryNet, _ func()) {
					happened := make(chan time.Time, 1)
					s.graph.OnTouch = func(string) { happened <- time.Now() }
					// Pipes have no buffer: everything the server writes has been read.
					early := func() {
						time.Sleep(time.Second)
						select {
						case <-happened:
							t.Fatal("the effect came before the answer was taken")
						default:
						}
					}
					switch transport {
					case "http":
						conn, err := net.dial(t.Context(), "", "")
						if err != nil {
							t.Fatal(err)
						}
						defer conn.Close()
						r := call(t, "POST", "http://stoa.test/graphql", document(t, touch, nil))
						if err := r.Write(conn); err != nil {
							t.Fatal(err)
						}
						early()
						if _, err := http.ReadResponse(bufio.NewReader(conn), r); err != nil {
							t.Fatal(err)
						}
					case "sse":
						stream := openStream(t, net.client(), call(t, "POST", "http://stoa.test/graphql", document(t, touch, nil)))
						stream.expect(alive)
						early()
						stream.expect("event: next\ndata: {\"data\":{\"touch\":\"n\"}}\n")
						early() // the answer has an end of its own
						stream.expect(finished, "")
					case "ws":
						c := net.dialWS(t).initialise()
						c.send(subscribeMessage("1", touch))
						early()
						c.receive()
						c.receive()
					}
					answered := time.Now()
					if waited := (<-happened).Sub(answered); waited != delay {
						t.Errorf("the effect came %v after the answer", waited)
					}
				})
			})
		}
	}
}

// Effects of a mutation may wait for those of another one on the same socket, which is answered later:
// subscribers hear of both in the order of the commits. The socket goes on meanwhile.
func TestEffectsDoNotHoldUpTheirSocket(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		earlier, later := make(chan struct{}), make(chan struct{})
		s.graph.OnTouch = func(note string) {
			if note == "earlier" {
				close(earlier)
				return
			}
			select {
			case <-earlier:
			case <-time.After(time.Minute):
				t.Error("the effect of the earlier mutation waits for that of the later one")
			}
			close(later)
		}
		c := net.dialWS(t).initialise()
		for _, note := range []string{"later", "earlier"} {
			c.send(subscribeMessage(note, `mutation{touch(note:"`+note+`")}`))
			c.receive()
			c.receive()
		}
		<-later
	})
}

func TestEffectsOfAnAnswerNobodyTakesStillHappen(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		happened := make(chan struct{})
		s.graph.OnTouch = func(string) { close(happened) }
		conn, err := net.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		body := document(t, `mutation{touch(note:"n")}`, nil)
		r := call(t, "POST", "http://stoa.test/graphql", body)
		if err := r.Write(conn); err != nil {
			t.Fatal(err)
		}
		conn.Close()
		<-happened
	})
}

func TestShutdownRunsDelayedEffects(t *testing.T) {
	delayed := func(c *server.Config) { c.EventDelay = 2 * time.Second }
	inMemory(t, delayed, func(t *testing.T, s *service, net *memoryNet, shutdown func()) {
		happened := make(chan struct{})
		s.graph.OnTouch = func(string) { close(happened) }
		response, err := net.client().Do(call(t, "POST", "http://stoa.test/graphql", document(t, `mutation{touch(note:"n")}`, nil)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		began := time.Now()
		shutdown()
		<-happened
		if took := time.Since(began); took >= 2*time.Second {
			t.Errorf("the effect came %v after the shutdown began: it waited for its delay", took)
		}
	})
}

func TestShutdownLetsRequestsFinish(t *testing.T) {
	for _, test := range []struct {
		name    string
		release time.Duration
		cutOff  bool
	}{
		{"in time", 9 * time.Second, false},
		{"too late", 20 * time.Second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(t, nil)
				net := newMemoryNet()
				ctx, cancel := context.WithCancel(context.Background())
				served := make(chan error, 1)
				go func() { served <- s.Serve(ctx, net) }()
				client := net.client()
				answered := make(chan error, 1)
				go func() {
					response, err := client.Do(call(t, "POST", "http://stoa.test/graphql", document(t, `{wait}`, nil)))
					if err == nil {
						response.Body.Close()
					}
					answered <- err
				}()
				<-s.graph.Waiting
				cancel()
				synctest.Wait()
				if _, err := net.dial(t.Context(), "", ""); err == nil {
					t.Error("connections are still accepted")
				}
				time.AfterFunc(test.release, func() { s.graph.Release <- struct{}{} })
				if err := <-answered; (err != nil) != test.cutOff {
					t.Errorf("the request ended with %v", err)
				}
				err := <-served
				if (err != nil) != test.cutOff {
					t.Errorf("Serve: %v", err)
				}
				if test.cutOff && !strings.Contains(err.Error(), "still running after 10s") {
					t.Errorf("Serve: %v", err)
				}
				time.Sleep(test.release)
			})
		})
	}
}
