package identity_test

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

func TestASlowBodyIsCutOff(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		client, conn := net.Pipe()
		listener := singleConn{make(chan net.Conn, 1), make(chan struct{})}
		listener.conns <- conn
		server := &http.Server{Handler: h.handler}
		served, sent := make(chan error), make(chan struct{})
		go func() { served <- server.Serve(listener) }()
		go func() {
			defer close(sent)
			io.WriteString(client, "POST /auth/sign-up HTTP/1.1\r\nHost: stoa.test\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{")
			for { // a byte a second
				if _, err := io.WriteString(client, " "); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		began := time.Now()
		answer, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
			t.Fatalf("answered %v, %v", answer, err)
		}
		body, err := io.ReadAll(answer.Body)
		if want := `{"error":{"code":"TIMEOUT","message":"The request body arrives too slowly"}}` + "\n"; err != nil || string(body) != want {
			t.Errorf("answered %s, %v", body, err)
		}
		if waited := time.Since(began); waited > 11*time.Second {
			t.Errorf("cut off after %v", waited)
		}
		client.Close()
		server.Close()
		<-sent
		<-served
	})
}
