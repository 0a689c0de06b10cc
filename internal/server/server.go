package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/turns"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/console"
	"stoa/internal/server/playground"
)

// Server serves graphs over the network.
type Server struct {
	config    Config
	handler   http.Handler
	tuned     atomic.Pointer[tuned]
	endpoints []*endpoint
	proxies   proxies
	limiter   *ratelimit.Limiter
	postponed *postponer
	bodies    bodies
	turns     *turns.Turns
	workers   *workers
	keys      runningKeys

	// draining is done when Serve starts to shut down: new work is refused, and long work
	// ends.
	draining context.Context
	drain    context.CancelFunc

	mu        sync.Mutex
	sockets   map[*socket]struct{}
	listeners map[*listener]struct{}
	// subscriptions is the number of open subscriptions by user.
	subscriptions map[viewer.UserID]int
}

// New returns a server. Its errors name the setting to change.
func New(c Config) (*Server, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{
		config:        c,
		limiter:       ratelimit.New(time.Now),
		postponed:     newPostponer(c.EventDelay),
		sockets:       map[*socket]struct{}{},
		bodies:        bodies{max: c.Limits.BodiesBytes, of: map[string]int64{}},
		turns:         turns.New(c.Limits.UserOperations),
		listeners:     map[*listener]struct{}{},
		subscriptions: map[viewer.UserID]int{},
	}
	t, err := c.Tuning().parse(c.LocalOrigins)
	if err != nil {
		return nil, err
	}
	s.tuned.Store(t)
	if s.proxies, err = parseProxies(c.TrustedProxies); err != nil {
		return nil, err
	}
	s.draining, s.drain = context.WithCancel(context.Background())
	s.workers = newWorkers(s.draining.Done())
	s.handler = s.routes()
	return s, nil
}

// console serves the console of operators while there can be any.
func (s *Server) console() http.Handler {
	if s.config.Console == nil {
		return http.NotFoundHandler()
	}
	page := console.Handler(s.config.PublicURL)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config.Console() {
			http.NotFound(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, system := range s.config.Systems {
		e := s.endpoint(system)
		s.endpoints = append(s.endpoints, e)
		mux.HandleFunc(system.Path, e.whenOn(e.graphql))
		for _, path := range realtimePaths(system.Path) {
			mux.HandleFunc(path, e.whenOn(e.realtime))
		}
	}
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", s.readyz)
	refuseOthers(mux, "GET /livez")
	refuseOthers(mux, "GET /readyz")
	if s.config.Metrics {
		mux.Handle("GET /metrics", promhttp.HandlerFor(s.config.Registry, promhttp.HandlerOpts{}))
		refuseOthers(mux, "GET /metrics")
	}
	front := "/" // the playground, unless an app is served there
	if s.config.Site == nil && !s.config.Playground {
		mux.HandleFunc("GET /{$}", s.index)
	}
	if s.config.Site != nil {
		mux.Handle("/", siteHandler(s.config.Site))
		front = "/playground/"
	}
	if s.config.Playground {
		mux.Handle(front, playground.Handler(s.playgrounds()...))
	}
	desk := s.console()
	mux.Handle(console.Path, desk)
	mux.Handle(console.Path+"/", desk)
	for pattern, handler := range s.config.Mounts {
		mux.Handle(pattern, handler)
		refuseOthers(mux, pattern)
	}
	return s.untrusted(newHosts(s.config.Hosts).demand(s.proxies.resolve(s.allow(withRequestID(s.traced(mux))))))
}

// refuseOthers refuses methods other than that of a pattern, if it has one. Otherwise a page at
// "/" would take their requests, and answer that it does not exist.
func refuseOthers(mux *http.ServeMux, pattern string) {
	method, path, ok := strings.Cut(pattern, " ")
	if !ok {
		return
	}
	allowed := method
	if method == http.MethodGet {
		allowed = "GET, HEAD"
	}
	mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allowed)
		writeText(w, http.StatusMethodNotAllowed, "this path accepts only "+allowed+"\n")
	})
}

// index names the endpoints, for somebody who opens the address of the server in a browser.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	var text strings.Builder
	text.WriteString("This is a stoa server.\n\n")
	for _, system := range s.config.Systems {
		if system.Admit == nil {
			fmt.Fprintf(&text, "%-24s GraphQL of %s: POST, GET, WebSocket and server-sent events\n", system.Path, system.Name)
		}
	}
	if s.config.Mounts["/auth/"] != nil {
		fmt.Fprintf(&text, "%-24s accounts and tokens: the description of /auth in OpenAPI\n", "/auth/openapi.json")
	}
	fmt.Fprintf(&text, "%-24s whether the server is up, and whether it can serve\n", "/livez, /readyz")
	text.WriteString("\nThe setting playground serves GraphiQL here, the setting site an app.\n")
	writeText(w, http.StatusOK, text.String())
}

func (s *Server) playgrounds() (systems []playground.System) {
	for _, system := range s.config.Systems {
		if system.Off != nil && system.Off() {
			continue
		}
		systems = append(systems, playground.System{Name: system.Name, Path: system.Path})
	}
	return systems
}

// Load returns the number of open sockets and of subscriptions.
func (s *Server) Load() (sockets, subscriptions int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.subscriptions {
		subscriptions += n
	}
	return len(s.sockets), subscriptions
}

// ServeHTTP handles one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// readyTime is the timeout of finding out whether the service is available: a store that
// does not respond is not.
const readyTime = 5 * time.Second

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.draining.Err() != nil {
		writeText(w, http.StatusServiceUnavailable, "shutting down\n")
		return
	}
	if s.config.Ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTime)
		defer cancel()
		if err := s.config.Ready(ctx); err != nil {
			s.config.Log.Warn("not ready", slog.String("error", err.Error()))
			writeText(w, http.StatusServiceUnavailable, "not ready\n")
			return
		}
	}
	writeText(w, http.StatusOK, "ok\n")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header()["Cache-Control"] = noStore
	w.WriteHeader(status)
	w.Write([]byte(text))
}

// maxHeader is the maximum size of a request's header, including documents sent by GET.
const maxHeader = 32 << 10

// exchange returns the timeout of a request and its response.
func (s *Server) exchange() time.Duration { return s.config.Limits.Operation.Duration + 30*time.Second }

// Serve accepts connections until ctx is done. It then stops accepting, waits up to
// Limits.Shutdown for running operations, closes sockets with a close frame, and runs
// postponed effects. It closes the listener, and returns nil if the shutdown was complete.
// It can be called once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	web := &http.Server{
		Handler:           s,
		MaxHeaderBytes:    maxHeader,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       s.exchange(),
		WriteTimeout:      s.exchange(),
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	s.recheck(s.draining)
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		s.drain()
		return fmt.Errorf("serving stopped: %w", err)
	case <-ctx.Done():
		return s.shutdown(web)
	}
}

func (s *Server) shutdown(web *http.Server) error {
	deadline, cancel := context.WithTimeout(context.Background(), s.config.Limits.Shutdown)
	defer cancel()
	s.drain()
	var sockets sync.WaitGroup
	for _, socket := range s.openSockets() {
		sockets.Go(func() { socket.drain(deadline, websocket.StatusGoingAway, "the server is shutting down") })
	}
	err := web.Shutdown(deadline)
	sockets.Wait()
	s.postponed.flush()
	if err != nil {
		web.Close()
		return errors.New("operations were still running after " + s.config.Limits.Shutdown.String() + " and were cut off")
	}
	return nil
}

func (s *Server) openSockets() (open []*socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for socket := range s.sockets {
		open = append(open, socket)
	}
	return open
}

// withRequestID assigns an id to each request, the client's if it is well-formed, and
// returns it in the response.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := header(r.Header, "X-Request-Id")
		if !trace.ValidRequestID(id) {
			id = trace.NewRequestID()
		}
		w.Header()["X-Request-Id"] = []string{id}
		next.ServeHTTP(w, r.WithContext(trace.WithRequestID(r.Context(), id)))
	})
}
