package quickhttp_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// slow is a handler whose answers take a second.
func slow(w http.ResponseWriter, r *http.Request) {
	time.Sleep(time.Second)
	echo(w, r)
}

// shutdown shuts down and returns how long that took.
func (s *serving) shutdown(t *testing.T, limit time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	begun := time.Now()
	err := s.Shutdown(ctx)
	return time.Since(begun), err
}

func TestShutdown(t *testing.T) {
	put, get := request("PUT", "/", "words"), request("GET", "/", "")
	tests := []struct {
		name    string
		before  []string // requests that were answered
		sent    string   // when it begins
		later   string   // while it goes on
		want    string   // the answer
		instant bool
	}{
		{name: "nothing sent", instant: true},
		{name: "idle", before: []string{post("a"), post("b")}, instant: true},
		{name: "idle after a handed-over request", before: []string{post("a"), get}, instant: true},
		{name: "being answered", sent: post("words"), want: "POST / words"},
		{name: "being answered again", before: []string{post("a")}, sent: post("words"), want: "POST / words"},
		{name: "handed over and being answered", sent: put, want: "PUT / words"},
		{name: "handed over later", before: []string{post("a")}, sent: put, want: "PUT / words"},
		{name: "half a request", sent: post("words")[:20], later: post("words")[20:], want: "POST / words"},
		{name: "half a body", sent: post("words")[:53], later: post("words")[53:], want: "POST / words"},
		{name: "half a second request", before: []string{post("a")}, sent: post("words")[:20], later: post("words")[20:], want: "POST / words"},
		{name: "half a request to hand over", sent: put[:20], later: put[20:], want: "PUT / words"},
		{name: "half a body to hand over", sent: put[:52], later: put[52:], want: "PUT / words"},
		{name: "half a second request to hand over", before: []string{post("a")}, sent: put[:20], later: put[20:], want: "PUT / words"},
		{name: "several requests at once", sent: post("words") + post("b") + post("c"), want: "POST / words"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, newPipes(), slow)
				c := s.dial(t)
				for _, text := range test.before {
					c.send(t, text)
					c.receive(t)
				}
				if test.sent != "" {
					c.send(t, test.sent)
				}
				synctest.Wait()
				answers := make(chan []reply, 1)
				if test.later != "" {
					go func() {
						time.Sleep(100 * time.Millisecond)
						c.send(t, test.later)
					}()
				}
				go func() { answers <- c.all(t) }()
				took, err := s.shutdown(t, 10*time.Second)
				if err != nil || (took == 0) != test.instant {
					t.Errorf("it took %v: %v", took, err)
				}
				got := <-answers
				if test.want == "" {
					if len(got) > 0 {
						t.Errorf("got %+v", got)
					}
					return
				}
				if len(got) != 1 || got[0].body != test.want || !got[0].close {
					t.Errorf("got %+v", got)
				}
				if _, err := s.listener.(*pipes).dial(); err == nil {
					t.Error("it still accepts")
				}
			})
		})
	}
}

// A connection whose requests come together is busy until the last one is answered, which
// says that no more will be.
func TestShutdownBetweenRequestsThatDoNotWait(t *testing.T) {
	for _, size := range []int{10, 100_000} {
		synctest.Test(t, func(t *testing.T) {
			s := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Second)
				w.Write(make([]byte, size))
			})
			c := s.dial(t)
			c.send(t, post("a")+post("b"))
			answers := make(chan []reply, 1)
			go func() { answers <- c.all(t) }()
			time.Sleep(1500 * time.Millisecond)
			if took, err := s.shutdown(t, 10*time.Second); err != nil || took != 500*time.Millisecond {
				t.Errorf("it took %v: %v", took, err)
			}
			if got := <-answers; len(got) != 2 || got[0].close || !got[1].close || len(got[1].body) != size {
				t.Errorf("got %d answers", len(got))
			}
		})
	}
}

// An answer that is on its way does not say that it is the last.
func TestShutdownWhileAnAnswerIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newPipes(), echo)
		c := s.dial(t)
		c.send(t, post("words"))
		synctest.Wait()
		result := make(chan error, 1)
		go func() { result <- s.Shutdown(t.Context()) }()
		synctest.Wait()
		begun := time.Now()
		if got := c.receive(t); got.close {
			t.Error("the answer was not on its way")
		}
		c.wantClosed(t)
		if err := <-result; err != nil || time.Since(begun) > 0 {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}

// What comes after a shutdown gave up waiting is not answered, and is not kept either.
func TestHandingOverAfterShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newPipes(), echo)
		c := s.dial(t)
		c.send(t, "PUT / HT")
		synctest.Wait()
		if err := s.Shutdown(ended()); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		c.send(t, "TP/1.1\r\nHost: test\r\n\r\n")
		begun := time.Now()
		c.wantClosed(t)
		if err := s.Shutdown(t.Context()); err != nil || time.Since(begun) > 0 {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}

// Idle connections do not wait for others.
func TestShutdownClosesIdleOnesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newPipes(), slow)
		busy, idle, over := s.dial(t), s.dial(t), s.dial(t)
		over.send(t, request("GET", "/", ""))
		over.receive(t)
		busy.send(t, post("words"))
		synctest.Wait()
		result := make(chan error, 1)
		go func() { result <- s.Shutdown(t.Context()) }()
		begun := time.Now()
		idle.wantClosed(t)
		over.wantClosed(t)
		if took := time.Since(begun); took > 0 {
			t.Errorf("it took %v", took)
		}
		if got := busy.receive(t); got.body != "POST / words" || !got.close {
			t.Errorf("got %+v", got)
		}
		if err := <-result; err != nil {
			t.Error(err)
		}
	})
}

func TestShutdownEndsWithItsContext(t *testing.T) {
	for _, method := range []string{"POST", "PUT"} {
		synctest.Test(t, func(t *testing.T) {
			finished := make(chan struct{})
			s := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
				<-finished
			})
			c := s.dial(t)
			c.send(t, request(method, "/", "words"))
			synctest.Wait()
			if took, err := s.shutdown(t, time.Second); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
				t.Errorf("%s: it took %v: %v", method, took, err)
			}
			if err := s.Shutdown(ended()); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: again: %v", method, err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			c.wantClosed(t)
			close(finished)
			if _, err := s.shutdown(t, time.Second); err != nil {
				t.Errorf("%s: at the end: %v", method, err)
			}
		})
	}
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newPipes(), slow)
		idle, half, busy, over, stuck := s.dial(t), s.dial(t), s.dial(t), s.dial(t), s.dial(t)
		half.send(t, "POST /")
		busy.send(t, post("words"))
		over.send(t, request("PUT", "/", "words"))
		stuck.send(t, request("PUT", "/", "words")[:50])
		synctest.Wait()
		begun := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for _, c := range []*client{idle, half, busy, over, stuck} {
			c.wantClosed(t)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("it took %v", took)
		}
		if err := s.Close(); err != nil {
			t.Errorf("again: %v", err)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Connections that a handler took are its own.
func TestShutdownLeavesTakenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newPipes(), func(w http.ResponseWriter, r *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.Copy(c, c)
		})
		c := s.dial(t)
		c.send(t, request("GET", "/", "", "Connection: upgrade", "Upgrade: echo"))
		synctest.Wait()
		if took, err := s.shutdown(t, time.Second); err != nil || took > 0 {
			t.Errorf("it took %v: %v", took, err)
		}
		c.send(t, "words")
		got := make([]byte, 5)
		if _, err := io.ReadFull(c, got); err != nil || string(got) != "words" {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestShutdownBeforeServe(t *testing.T) {
	for name, end := range map[string]func(*serving) error{
		"Shutdown": func(s *serving) error { return s.Shutdown(context.Background()) },
		"Close":    func(s *serving) error { return s.Close() },
	} {
		listener := &failing{newPipes(), make(chan error)}
		s := serve(t, listener, echo) // waits in Accept, or has not begun
		if err := end(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Serve(newPipes()); err != http.ErrServerClosed {
			t.Errorf("%s: Serve ended with %v", name, err)
		}
	}
}

// failing is a listener that fails when it is told to.
type failing struct {
	*pipes
	fail chan error
}

func (f *failing) Accept() (net.Conn, error) {
	select {
	case c := <-f.accept:
		return c, nil
	case err := <-f.fail:
		return nil, err
	case <-f.closed:
		return nil, net.ErrClosed
	}
}

type passing struct{ error }

func (passing) Temporary() bool { return true }

func TestListenersThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &failing{newPipes(), make(chan error)}
		s := serve(t, p, echo)
		p.fail <- passing{errors.New("too many open files")}
		p.fail <- passing{errors.New("too many open files")}
		c, server := net.Pipe()
		if !p.give(server) {
			t.Fatal("it does not accept any more")
		}
		c.Close()
		s.log.want(t, "too many open files", "pause=5ms", "pause=10ms")
		broken := errors.New("broken")
		p.fail <- broken
		if err := <-s.ended; err != broken {
			t.Errorf("Serve ended with %v", err)
		}
		if p.give(nil) {
			t.Error("the listener is open")
		}
		s.ended <- http.ErrServerClosed // what the end of the test wants
	})
}
