package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// countedListener counts what its connections write, call by call.
type countedListener struct {
	net.Listener
	writes *atomic.Int64
}

func (l countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, l.writes}, err
}

type countedConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c countedConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

func TestAnswersAreSentInOnePiece(t *testing.T) {
	s := newService(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, countedListener{listener, &writes}) }()
	client := &http.Client{Transport: &http.Transport{}}
	for _, c := range []struct {
		query string
		// pieces is 0 for as many as net/http likes.
		pieces int64
	}{
		{`{ greeting(name: "ben") }`, 1},
		{`{ items(limit: 30) { itemId text likeCount } }`, 1},
		{`{ items(limit: 400) { itemId text likeCount } }`, 1},
		{`{ items(limit: 2000) { itemId text likeCount } }`, 0},
		{`mutation { touch(note: "n") }`, 1},
		{`{ items(limit: 100) { itemId } fail(how: CLIENT) }`, 1},
		{`{ unknown }`, 1},
	} {
		body := document(t, c.query, nil)
		direct := httptest.NewRecorder()
		s.ServeHTTP(direct, call(t, http.MethodPost, "/graphql", body))
		for _, connection := range []string{"keep-alive", "close"} {
			writes.Store(0)
			r := call(t, http.MethodPost, fmt.Sprintf("http://%s/graphql", listener.Addr()), body)
			r.Close = connection == "close"
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || string(got) != direct.Body.String() {
				t.Errorf("%s, %s: %v, got %.80q, want %.80q", c.query, connection, err, got, direct.Body)
			}
			if n := writes.Load(); c.pieces > 0 && n != c.pieces {
				t.Errorf("%s, %s: %d bytes in %d pieces, want %d", c.query, connection, len(got), n, c.pieces)
			}
		}
	}
	r := call(t, http.MethodHead, fmt.Sprintf("http://%s/graphql", listener.Addr()), "")
	response, err := client.Do(r)
	if err != nil || response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("HEAD: %v, %v", response, err)
	}
	client.CloseIdleConnections()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
