package quickhttp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/quickhttp"
)

const (
	maxBody = 1000
	timeout = 30 * time.Second
)

// serving is a server under test.
type serving struct {
	*quickhttp.Server
	listener net.Listener
	log      *lines
	ended    chan error // the result of Serve
}

// serve serves a handler until the test ends, on a real socket if listener is nil.
func serve(t *testing.T, listener net.Listener, handler http.HandlerFunc) *serving {
	t.Helper()
	if listener == nil {
		listener = loopback(t)
	}
	s := &serving{listener: listener, log: &lines{}, ended: make(chan error, 1)}
	s.Server = &quickhttp.Server{Handler: handler, MaxBody: maxBody, Timeout: timeout, Log: slog.New(slog.NewTextHandler(s.log, nil))}
	go func() { s.ended <- s.Serve(listener) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-s.ended; err != http.ErrServerClosed {
			t.Errorf("Serve ended with %v", err)
		}
	})
	return s
}

func loopback(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// dial connects to the server.
func (s *serving) dial(t *testing.T) *client {
	t.Helper()
	var c net.Conn
	var err error
	if p, ok := s.listener.(*pipes); ok {
		c, err = p.dial()
	} else {
		c, err = net.Dial("tcp", s.listener.Addr().String())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &client{c, bufio.NewReader(c)}
}

// client is a connection to a server that shows what goes over it.
type client struct {
	net.Conn
	r *bufio.Reader
}

func (c *client) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(c.Conn, text); err != nil {
		t.Fatal(err)
	}
}

// reply is an answer as a client sees it.
type reply struct {
	status int
	header http.Header
	close  bool
	length int64
	body   string
}

// receive reads one answer.
func (c *client) receive(t *testing.T) reply {
	t.Helper()
	r, err := c.next()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (c *client) next() (reply, error) {
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return reply{}, err
	}
	body, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, answer.Close, answer.ContentLength, string(body)}, err
}

// all reads answers until the server closes the connection.
func (c *client) all(t *testing.T) (replies []reply) {
	t.Helper()
	for {
		r, err := c.next()
		if err == io.ErrUnexpectedEOF && c.r.Buffered() == 0 || err == io.EOF {
			return replies
		}
		if err != nil {
			t.Fatalf("after %d answers: %v", len(replies), err)
		}
		replies = append(replies, r)
	}
}

// wantClosed fails unless the server closes the connection without a word.
func (c *client) wantClosed(t *testing.T) {
	t.Helper()
	if b, err := io.ReadAll(c.r); len(b) > 0 || err != nil {
		t.Fatalf("got %q, %v instead of the end", b, err)
	}
}

// post is a request with a body.
func post(body string, header ...string) string {
	return request("POST", "/", body, header...)
}

func request(method, target, body string, header ...string) string {
	text := method + " " + target + " HTTP/1.1\r\nHost: test\r\n"
	for _, line := range header {
		text += line + "\r\n"
	}
	if body != "" {
		text += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return text + "\r\n" + body
}

// echo answers with what it is sent.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		fmt.Fprintf(w, "more than %d bytes", tooLong.Limit)
		return
	}
	fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, body)
}

// isQuick reports whether a handler answers without net/http.
func isQuick(w http.ResponseWriter) bool {
	_, standard := w.(http.Hijacker)
	return !standard
}

// pipes is a network without a kernel: time in a synctest bubble sees through it.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{accept: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() (net.Conn, error) {
	client, server := net.Pipe()
	if !p.give(server) {
		return nil, net.ErrClosed
	}
	return client, nil
}

func (p *pipes) give(c net.Conn) bool {
	select {
	case p.accept <- c:
		return true
	case <-p.closed:
		return false
	}
}

// lines is a log that any goroutine may write to.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *lines) want(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(l.String(), part) {
			t.Errorf("the log lacks %q:\n%s", part, l)
		}
	}
}

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
