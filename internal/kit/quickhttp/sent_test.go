package quickhttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/quickhttp"
)

// wrapped is a ResponseWriter in another, as a handler in between makes one.
type wrapped struct{ http.ResponseWriter }

func (w wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func TestAfterSent(t *testing.T) {
	for _, method := range []string{"POST", "PUT"} {
		for _, size := range []int{0, 10, 5000, 60 << 10, 60<<10 + 1, 500_000} {
			t.Run(fmt.Sprint(method, size), func(t *testing.T) {
				listener := newCounted(loopback(t))
				sent := make(chan int64, 10)
				s := serve(t, listener, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Length", strconv.Itoa(size))
					w.Write(make([]byte, size))
					done := func() { sent <- listener.bytes.Swap(0) }
					quickhttp.AfterSent(wrapped{wrapped{w}}, done)
				})
				for _, header := range []string{"X-A: b", "Connection: close"} {
					c := s.dial(t)
					for range 2 {
						c.send(t, request(method, "/", "words", header))
						answer := c.receive(t)
						if n := <-sent; n < int64(size)+50 || len(answer.body) != size {
							t.Errorf("called after %d bytes, answer has %d", n, len(answer.body))
						}
						if answer.close {
							break
						}
					}
				}
				if len(sent) > 0 {
					t.Error("called again")
				}
			})
		}
	}
}

func TestAfterSentOfSeveralAnswers(t *testing.T) {
	sent := make(chan string, 10)
	listener := newCounted(loopback(t))
	c := serve(t, listener, func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path // r is no longer there when the answer is sent
		for i := range 2 {
			quickhttp.AfterSent(w, func() {
				if listener.bytes.Load() == 0 {
					t.Error("called before anything was sent")
				}
				sent <- fmt.Sprint(path, i)
			})
		}
	}).dial(t)
	c.send(t, request("POST", "/a", "")+request("POST", "/b", "")+"POST /half")
	c.receive(t)
	c.receive(t)
	for _, want := range []string{"/a0", "/a1", "/b0", "/b1"} {
		if got := <-sent; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	c.Close()
}

func TestAfterSentWithoutClient(t *testing.T) {
	for _, size := range []int{0, 5000, 500_000} {
		for _, shut := range []bool{false, true} { // by the client or by the server
			synctest.Test(t, func(t *testing.T) {
				sent := make(chan struct{}, 10)
				arrived, gone := make(chan struct{}), make(chan struct{})
				s := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
					quickhttp.AfterSent(w, func() { sent <- struct{}{} })
					close(arrived)
					<-gone
					w.Write(make([]byte, size))
				})
				c := s.dial(t)
				c.send(t, post("before")[:10])
				time.Sleep(2 * time.Second) // for the deadlines to be set anew
				c.send(t, post("before")[10:])
				<-arrived
				if shut {
					s.Close()
				} else {
					c.Close()
				}
				if len(sent) > 0 {
					t.Error("called before there was an answer")
				}
				close(gone)
				<-sent
				synctest.Wait()
				if len(sent) > 0 {
					t.Error("called again")
				}
			})
		}
	}
}

func TestAfterSentOfHandlersThatPanic(t *testing.T) {
	sent := make(chan struct{}, 10)
	s := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		quickhttp.AfterSent(w, func() { panic("after it was sent") })
		quickhttp.AfterSent(w, func() { sent <- struct{}{} })
		if r.URL.Path == "/panic" {
			panic("before it was sent")
		}
		io.WriteString(w, "words")
	})
	c := s.dial(t)
	for _, path := range []string{"/", "/", "/panic"} {
		c.send(t, request("POST", path, "words"))
		c.receive(t)
		<-sent
	}
	s.log.want(t, "after it was sent", "before it was sent")
}

// Shutdown does not return before what waits for answers was called.
func TestShutdownWaitsForAfterSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		called := false
		arrived := make(chan struct{})
		s := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
			quickhttp.AfterSent(w, func() {
				time.Sleep(time.Second)
				called = true
			})
			close(arrived)
			time.Sleep(time.Second)
		})
		c := s.dial(t)
		c.send(t, post("words"))
		<-arrived
		go io.Copy(io.Discard, c)
		if err := s.Shutdown(t.Context()); err != nil || !called {
			t.Errorf("%v, called %v", err, called)
		}
	})
}
