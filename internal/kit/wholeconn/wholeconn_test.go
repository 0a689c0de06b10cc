package wholeconn_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"stoa/internal/kit/wholeconn"
)

// counted counts what its connections write, call by call.
type counted struct {
	net.Listener
	writes *atomic.Int64
}

func (l counted) Accept() (net.Conn, error) {
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

func TestAnnouncedAnswersAreSentInOnePiece(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int64
	server := &http.Server{ConnContext: wholeconn.Context, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		w.Header().Set("Content-Length", strconv.Itoa(size))
		wholeconn.Announce(r.Context(), size)
		w.Write(bytes.Repeat([]byte("x"), size))
	})}
	go server.Serve(wholeconn.Listener{Listener: counted{listener, &writes}})
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, size := range []int{0, 10, 3000, 4096, 9000, 60 << 10, 60<<10 + 1, 500_000, 9000} {
		writes.Store(0)
		response, err := client.Get("http://" + listener.Addr().String() + "/?size=" + strconv.Itoa(size))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || len(body) != size {
			t.Errorf("%d bytes: got %d, %v", size, len(body), err)
		}
		if n := writes.Load(); size <= 60<<10 && n != 1 {
			t.Errorf("%d bytes went in %d pieces", size, n)
		}
	}
}
