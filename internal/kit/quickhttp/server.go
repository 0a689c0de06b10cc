package quickhttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Server serves one handler. Requests that are answered quickly differ from those of
// net/http in this:
//
//   - Request, header and ResponseWriter may be used until the handler returns only.
//   - The request's context does not end when the client goes away.
//   - An answer is sent when the handler has returned; see [AfterSent].
//   - Cookies come in one line and without quotes, and of fields that make sense only
//     once, such as Host and Content-Type, the last one counts.
//   - The client of a handler that panicked gets status 500.
type Server struct {
	// Handler answers requests.
	Handler http.Handler
	// MaxBody bounds the body of a request, in bytes. Reading one that is longer fails
	// with an [http.MaxBytesError], and its connection is closed after the answer.
	MaxBody int
	// Timeout bounds how long a client may take to send a request or to take an answer,
	// and how long a connection may be idle. It may be a second less, hence it has to be
	// some seconds.
	Timeout time.Duration
	// Log is told of panics and of connections that break rules.
	Log *slog.Logger

	quick   *fasthttp.Server
	streams *http.Server
	handed  *handedOver

	mu       sync.Mutex
	listener net.Listener
	conns    map[*conn]struct{} // that are served quickly, or handed over just now
	closed   atomic.Bool        // written under mu
	empty    chan struct{}      // closed when the server is and has no conns
}

// fasthttp keeps the time for all servers, in a goroutine that begins with the first
// answer and never ends. It begins here lest it be taken for one of a server.
func init() { new(fasthttp.ResponseHeader).Header() }

// maxHeader bounds what is before the body of a request, in bytes. As much is kept for
// each connection.
const maxHeader = 16 << 10

// Serve accepts connections until the server is shut down, and closes the listener. It
// always fails, after Shutdown and Close with [http.ErrServerClosed]. A Server serves once.
func (s *Server) Serve(listener net.Listener) error {
	defer listener.Close()
	if err := s.begin(listener); err != nil {
		return err
	}
	go s.streams.Serve(s.handed) // until it is closed
	var pause time.Duration
	for {
		accepted, err := listener.Accept()
		switch {
		case s.closed.Load():
			if err == nil {
				accepted.Close()
			}
			return http.ErrServerClosed
		case err == nil:
			pause = 0
			go s.serve(accepted)
		case isPassing(err):
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			s.Log.Warn("a connection could not be accepted", slog.String("error", err.Error()), slog.Duration("pause", pause))
			time.Sleep(pause)
		default:
			return err
		}
	}
}

// isPassing reports whether accepting may work again, when there are fewer open files
// for instance.
func isPassing(err error) bool {
	var passing interface{ Temporary() bool }
	return errors.As(err, &passing) && passing.Temporary()
}

func (s *Server) begin(listener net.Listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return http.ErrServerClosed
	}
	s.listener, s.conns, s.empty = listener, map[*conn]struct{}{}, make(chan struct{})
	s.handed = newHandedOver(listener.Addr())
	s.streams = &http.Server{
		Handler:           http.MaxBytesHandler(s.Handler, int64(s.MaxBody)),
		ReadHeaderTimeout: s.Timeout,
		ReadTimeout:       s.Timeout,
		WriteTimeout:      s.Timeout,
		IdleTimeout:       s.Timeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         streamState,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	s.quick = &fasthttp.Server{
		Handler:                      s.answer,
		ErrorHandler:                 s.answerBroken,
		HeaderReceived:               leaveLong,
		ConnState:                    connState,
		MaxRequestBodySize:           s.MaxBody,
		ReadBufferSize:               maxHeader,
		ReadTimeout:                  s.Timeout,
		WriteTimeout:                 s.Timeout,
		KeepHijackedConns:            true,
		DisablePreParseMultipartForm: true,
		NoDefaultServerHeader:        true,
		NoDefaultContentType:         true,
		Logger:                       printer{s.Log},
	}
	return nil
}

// serve serves a connection until it is closed or handed over.
func (s *Server) serve(accepted net.Conn) {
	c := &conn{Conn: accepted, remote: accepted.RemoteAddr().String(), server: s}
	s.mu.Lock()
	if s.closed.Load() {
		s.mu.Unlock()
		accepted.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.mu.Unlock()
	if s.protect(func() { _ = s.quick.ServeConn(c) }) { // that a client went away is nobody's concern
		c.Close()
	}
}

// forget is told that a connection is closed, or that it was handed over and net/http is
// done with its first request.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.conns[c]; !ok {
		return
	}
	delete(s.conns, c)
	if s.closed.Load() && len(s.conns) == 0 {
		close(s.empty)
	}
}

// close stops accepting and returns the connections that are open. It reports whether
// the server has ever begun to serve.
func (s *Server) close() (open []*conn, served bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		s.closed.Store(true)
		return nil, false
	}
	if !s.closed.Load() {
		s.closed.Store(true)
		s.listener.Close()
		if len(s.conns) == 0 {
			close(s.empty)
		}
	}
	return slices.Collect(maps.Keys(s.conns)), true
}

// Shutdown stops accepting and returns when all requests are answered, or when ctx ends:
// then some still run. Connections that a handler took over are not waited for.
func (s *Server) Shutdown(ctx context.Context) error {
	open, served := s.close()
	if !served {
		return nil
	}
	for _, c := range open {
		if !c.busy.Load() {
			c.Conn.Close()
		}
	}
	s.streams.SetKeepAlivesEnabled(false) // closes those that are idle
	var quick error
	select {
	case <-s.empty: // no more are handed over
	case <-ctx.Done():
		quick = ctx.Err()
	}
	if err := s.streams.Shutdown(ctx); err != nil {
		return err
	}
	return quick
}

// Close stops accepting and closes all connections but those that a handler took over.
func (s *Server) Close() error {
	open, served := s.close()
	if !served {
		return nil
	}
	for _, c := range open {
		c.Conn.Close()
	}
	return s.streams.Close()
}

// printer logs what fasthttp has to say.
type printer struct{ log *slog.Logger }

func (p printer) Printf(format string, args ...any) {
	p.log.Warn("http", slog.String("detail", fmt.Sprintf(format, args...)))
}
