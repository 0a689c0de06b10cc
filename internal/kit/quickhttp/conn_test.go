package quickhttp_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/quickhttp"
)

// counted counts what its connections write: calls and bytes.
type counted struct {
	net.Listener
	writes, bytes *atomic.Int64
}

func newCounted(l net.Listener) counted { return counted{l, new(atomic.Int64), new(atomic.Int64)} }

func (l counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, l}, err
}

type countedConn struct {
	net.Conn
	by counted
}

func (c countedConn) Write(p []byte) (int, error) {
	c.by.writes.Add(1) // before the client can see it
	n, err := c.Conn.Write(p)
	c.by.bytes.Add(int64(n))
	return n, err
}

func TestAnswersAreSentInOnePiece(t *testing.T) {
	listener := newCounted(loopback(t))
	c := serve(t, listener, func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		w.Write(bytes.Repeat([]byte("x"), size/2))
		w.Write(bytes.Repeat([]byte("x"), size-size/2))
	}).dial(t)
	for _, size := range []int{0, 10, 3000, 3071, 3072, 4096, 9000, 60 << 10, 60<<10 + 1, 500_000, 9000} {
		listener.writes.Store(0)
		c.send(t, request("POST", fmt.Sprintf("/?size=%d", size), ""))
		if got := c.receive(t); len(got.body) != size {
			t.Errorf("%d bytes: got %d", size, len(got.body))
		}
		if n := listener.writes.Load(); size <= 60<<10 && n != 1 {
			t.Errorf("%d bytes went in %d pieces", size, n)
		}
	}
}

// Requests that come together may be answered together, whatever the sizes.
func TestRequestsThatDoNotWait(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		w.Write(bytes.Repeat([]byte("x"), size))
	}).dial(t)
	var text string
	sizes := []int{10, 4000, 60 << 10, 3000, 3500, 10, 100_000, 60 << 10, 60 << 10, 0}
	for _, size := range sizes {
		text += request("POST", fmt.Sprintf("/?size=%d", size), "words")
	}
	c.send(t, text+post("")[:10])
	for i, size := range sizes {
		if got := c.receive(t); len(got.body) != size {
			t.Errorf("answer %d has %d bytes, want %d", i, len(got.body), size)
		}
	}
}

func TestRequestsOfAConnectionDoNotSeeEachOther(t *testing.T) {
	var mu sync.Mutex
	kept := map[string]string{} // strings that a handler keeps
	handler := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		kept[r.Header.Get("X-Number")] = r.URL.Path + r.Header.Get("X-Only") + r.Host
		mu.Unlock()
		r.Header.Set("X-Own", "set by the handler")
		r.URL.Path = "/changed"
		r.SetPathValue("a", "b")
		w.Header().Set("X-Answer-"+r.Header.Get("X-Number"), "1")
		w.WriteHeader(200 + len(r.URL.RawQuery))
	}
	s := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s|%s|%s|%s|%v|%s", r.URL, r.Host, body, r.PathValue("a"), r.Form, r.Header)
		handler(w, r)
	})
	send := func(c *client, i int) error {
		only, own := fmt.Sprintf("X-Only: %d", i), fmt.Sprintf("X-Own-%d: o", i)
		if i%3 == 0 {
			only = "X-Other: o"
		}
		body := strings.Repeat(strconv.Itoa(i%10), i%40)
		target := fmt.Sprintf("/same?%s", strings.Repeat("q", i%3))
		if _, err := io.WriteString(c, request("POST", target, body, only, own, "X-Number: "+strconv.Itoa(i))); err != nil {
			return err
		}
		got, err := c.next()
		if err != nil {
			return err
		}
		want := http.Header{"X-Number": {strconv.Itoa(i)}, fmt.Sprintf("X-Own-%d", i): {"o"}}
		name, value, _ := strings.Cut(only, ": ")
		want[name] = []string{value}
		if body != "" {
			want["Content-Length"] = []string{strconv.Itoa(len(body))}
		} else {
			want["Content-Length"] = []string{"0"}
		}
		text := fmt.Sprintf("%s|test|%s||map[]|%s", target, body, want)
		if got.body != text {
			return fmt.Errorf("got  %s\nwant %s", got.body, text)
		}
		return nil
	}
	var clients sync.WaitGroup
	for n := range 8 {
		c := s.dial(t)
		clients.Go(func() {
			for i := range 100 {
				if err := send(c, 100*n+i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	clients.Wait()
	for i := range 800 {
		only := strconv.Itoa(i)
		if i%3 == 0 {
			only = ""
		}
		if got, want := kept[strconv.Itoa(i)], "/same"+only+"test"; got != want {
			t.Fatalf("of request %d was kept %q, want %q", i, got, want)
		}
	}
}

func TestHeadersOfAnswersDoNotStay(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first" {
			w.Header().Set("X-First", "1")
			w.Header().Set("Content-Type", "a/b")
			w.Header().Set("Content-Encoding", "c")
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			w.WriteHeader(201)
			io.WriteString(w, "first")
		}
	}).dial(t)
	c.send(t, request("POST", "/first", "x"))
	if got := c.receive(t); got.status != 201 || got.body != "first" || len(got.header) != 6 {
		t.Errorf("got %+v", got)
	}
	c.send(t, request("POST", "/second", "x"))
	if got := c.receive(t); got.status != 200 || got.body != "" || len(got.header) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestSlowClients(t *testing.T) {
	tests := []struct {
		name, text string
		answers    []int
	}{
		{"nothing", "", []int{408}},
		{"half a line", "POST /", []int{408}},
		{"half a header", "POST / HTTP/1.1\r\nHost: te", []int{408}},
		{"half a body", post("words")[:len(post("words"))-2], []int{408}},
		{"no more requests", post("words"), []int{200}},
		{"half a second request", post("words") + "POST /", []int{200, 408}},
		{"half a header to hand over", "PUT / HT", []int{408}},
		{"no more handed-over requests", request("PUT", "/", "words"), []int{200}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := serve(t, newPipes(), echo).dial(t)
				begun := time.Now()
				if test.text != "" {
					c.send(t, test.text)
				}
				got := c.all(t)
				if took := time.Since(begun); took < timeout-time.Second || took > timeout+time.Second {
					t.Errorf("it took %v", took)
				}
				if len(got) != len(test.answers) {
					t.Fatalf("got %+v", got)
				}
				for i, status := range test.answers {
					if got[i].status != status {
						t.Errorf("answer %d has status %d, want %d", i, got[i].status, status)
					}
				}
			})
		})
	}
}

// A client that is never idle for long, and never slow, is served for ever.
func TestSteadyClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, newPipes(), echo).dial(t)
		for range 200 {
			c.send(t, post("words"))
			if got := c.receive(t); got.status != 200 {
				t.Fatalf("got %+v", got)
			}
			time.Sleep(700 * time.Millisecond)
		}
		time.Sleep(timeout - 2*time.Second)
		c.send(t, post("words"))
		c.receive(t)
	})
}

func TestClientsThatDoNotTakeTheirAnswers(t *testing.T) {
	for _, size := range []int{10, 10_000, 100_000} {
		synctest.Test(t, func(t *testing.T) {
			sent := make(chan time.Time, 1)
			c := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
				w.Write(make([]byte, size))
				quickhttp.AfterSent(w, func() { sent <- time.Now() })
			}).dial(t)
			begun := time.Now()
			c.send(t, post("words"))
			if took := (<-sent).Sub(begun); took != timeout {
				t.Errorf("%d bytes: given up after %v", size, took)
			}
			c.wantClosed(t)
		})
	}
}
