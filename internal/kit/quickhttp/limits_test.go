package quickhttp_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestBodiesThatAreTooLong(t *testing.T) {
	long := strings.Repeat("w", maxBody+1)
	length := fmt.Sprintf("Content-Length: %d\r\n", len(long))
	chunk := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(long), long)
	head := " / HTTP/1.1\r\nHost: test\r\n"
	tests := []struct{ name, text string }{
		{"told", "POST" + head + length + "\r\n" + long},
		{"told and not sent", "POST" + head + length + "\r\n"},
		{"in chunks", "POST" + head + "Transfer-Encoding: chunked\r\n\r\n" + chunk},
		{"with leave", "POST" + head + length + "Expect: 100-continue\r\n\r\n" + long},
		{"stream", "POST" + head + stream + "\r\n" + length + "\r\n" + long},
		{"stream, in chunks", "POST" + head + stream + "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk},
		{"handed over", "PUT" + head + length + "\r\n" + long},
	}
	s := serve(t, nil, echo)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, before := range []string{"", post("before")} {
				c := s.dial(t)
				c.send(t, before+test.text)
				if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
					t.Fatal(err)
				}
				got := c.all(t)
				if before != "" {
					got = got[1:]
				}
				if len(got) > 0 && got[0].status == http.StatusContinue {
					got = got[1:]
				}
				want := fmt.Sprintf("more than %d bytes", maxBody)
				if strings.Contains(test.name, "not sent") && len(got) == 1 && got[0].body == want {
					return
				}
				if len(got) != 1 || got[0].status != http.StatusRequestEntityTooLarge || got[0].body != want || !got[0].close {
					t.Errorf("got %+v", got)
				}
			}
		})
	}
	t.Run("just not", func(t *testing.T) {
		c := s.dial(t)
		c.send(t, post(long[1:]))
		if got := c.receive(t); got.status != 200 || got.body != "POST / "+long[1:] {
			t.Errorf("got %+v", got)
		}
	})
}

// The whole answer arrives although the client has not stopped sending when the server
// closes the connection.
func TestAnswersReachThoseWhoStillSend(t *testing.T) {
	answer := strings.Repeat("a", 200_000)
	for name, pause := range map[string]time.Duration{"fast": 0, "for ever": 50 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			c := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
				io.WriteString(w, answer)
			}).dial(t)
			sent := make(chan error, 1)
			go func() {
				_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n")
				for range 1000 {
					time.Sleep(pause)
					if err == nil {
						_, err = io.WriteString(c, strings.Repeat("w", 1000))
					}
				}
				sent <- err
			}()
			if got := c.receive(t); got.status != http.StatusRequestEntityTooLarge || got.body != answer || !got.close {
				t.Errorf("%s: got %d and %d bytes", name, got.status, len(got.body))
			}
			begun := time.Now()
			c.wantClosed(t)
			if took := time.Since(begun); took > time.Second {
				t.Errorf("%s: closed after %v", name, took)
			}
			if err := <-sent; (err == nil) != (pause == 0) {
				t.Errorf("%s: sending ended with %v", name, err)
			}
		})
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	tests := []struct {
		name, text string
		status     int
	}{
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		{"words", "hello, is anybody there?\r\n\r\n", 400},
		{"no protocol", "POST /\r\n\r\n", 400},
		{"bad name", "POST / HTTP/1.1\r\nHost: test\r\nA(b): c\r\n\r\n", 400},
		{"no colon", "POST / HTTP/1.1\r\nHost: test\r\nabc\r\n\r\n", 400},
		{"zero byte in a value", "POST / HTTP/1.1\r\nHost: test\r\nA: \x00\r\n\r\n", 400},
		{"body that ends early", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\nx", 400},
		{"header that ends early", "POST / HTTP/1.1\r\nHost: te", 400},
		{"long header", post("", "X-Long: "+strings.Repeat("x", 16<<10)), 431},
		{"long target", request("POST", "/"+strings.Repeat("x", 16<<10), ""), 431},
		{"long header of a GET", request("GET", "/", "", "X-Long: "+strings.Repeat("x", 16<<10)), 431},
		{"endless header", "POST / HTTP/1.1\r\n" + strings.Repeat("X-A: b\r\n", 10_000), 431},
		{"long but not too long", post("", "X-Long: "+strings.Repeat("x", 15<<10)), 200},
		{"long GET", request("GET", "/", "", "X-Long: "+strings.Repeat("x", 15<<10)), 200},
	}
	s := serve(t, nil, echo)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := s.dial(t)
			c.send(t, test.text)
			if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			got := c.all(t)
			if len(got) != 1 || got[0].status != test.status {
				t.Fatalf("got %+v", got)
			}
			if test.status >= 400 && (!got[0].close || got[0].header.Get("Date") == "" || got[0].body == "") {
				t.Errorf("got %+v", got[0])
			}
		})
	}
}

func TestHandlersThatPanic(t *testing.T) {
	s := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/before":
			panic("before words")
		case "/after":
			w.Header().Set("X-Secret", "1")
			w.WriteHeader(201)
			w.Write(make([]byte, 10_000))
			panic("after words")
		case "/abort":
			panic(http.ErrAbortHandler)
		case "/end":
			runtime.Goexit()
		}
		echo(w, r)
	})
	for _, path := range []string{"/before", "/after", "/abort"} {
		c := s.dial(t)
		c.send(t, post("fine"))
		c.receive(t)
		c.send(t, request("POST", path, "words")+post("never read"))
		got := c.all(t)
		if len(got) != 1 || got[0].status != 500 || !got[0].close || got[0].body != "Internal Server Error\n" || got[0].header.Get("X-Secret") != "" {
			t.Errorf("%s: got %+v", path, got)
		}
		again := s.dial(t)
		again.send(t, post("words"))
		if got := again.receive(t); got.body != "POST / words" {
			t.Errorf("after %s: got %+v", path, got)
		}
	}
	s.log.want(t, "path=/before", `panic="before words"`, "path=/after", `panic="after words"`, "limits_test.go")
	if strings.Contains(s.log.String(), "/abort") {
		t.Errorf("an abort was logged:\n%s", s.log)
	}
}

// Nothing that goes wrong with one connection may end the process.
func TestConnectionsThatPanic(t *testing.T) {
	p := newPipes()
	s := serve(t, p, echo)
	client, server := net.Pipe()
	defer client.Close()
	p.give(brokenConn{server})
	if b, err := io.ReadAll(client); len(b) > 0 || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
	c := s.dial(t)
	c.send(t, post("words"))
	c.receive(t)
	s.log.want(t, "broken on purpose")
}

type brokenConn struct{ net.Conn }

func (brokenConn) Read([]byte) (int, error) { panic("broken on purpose") }
