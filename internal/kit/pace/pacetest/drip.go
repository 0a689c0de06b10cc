// Package pacetest tests handlers with clients that send bodies slowly.
package pacetest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// singleConn accepts a single connection.
type singleConn struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (o singleConn) Accept() (net.Conn, error) {
	select {
	case c := <-o.conns:
		return c, nil
	case <-o.closed:
		return nil, net.ErrClosed
	}
}

func (o singleConn) Close() error   { close(o.closed); return nil }
func (o singleConn) Addr() net.Addr { return &net.TCPAddr{} }

// Drip sends the head of a request to a handler, and then a byte each second. It returns the
// response, its body, and how long it took, by the clock of a bubble.
func Drip(t *testing.T, h http.Handler, head string) (answer *http.Response, body string, waited time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		client, conn := net.Pipe()
		listener := singleConn{make(chan net.Conn, 1), make(chan struct{})}
		listener.conns <- conn
		server := &http.Server{Handler: h}
		served, sent := make(chan error), make(chan struct{})
		go func() { served <- server.Serve(listener) }()
		go func() {
			defer close(sent)
			if _, err := io.WriteString(client, head); err != nil {
				return
			}
			for {
				if _, err := io.WriteString(client, " "); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		began := time.Now()
		var err error
		if answer, err = http.ReadResponse(bufio.NewReader(client), nil); err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		body, waited = string(text), time.Since(began)
		client.Close()
		server.Close()
		<-sent
		<-served
	})
	return answer, body, waited
}
