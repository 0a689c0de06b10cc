package pacetest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Whole sends the head of a request and a body of some bytes over a connection, and only
// then reads the response and its body.
func Whole(t *testing.T, h http.Handler, head string, size int64) (answer *http.Response, body string) {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(conn, strings.NewReader(strings.Repeat(" ", int(size)))); err != nil {
		t.Fatalf("the body could not be sent after %d bytes: %v", n, err)
	}
	if answer, err = http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}
