package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"stoa/internal/kit/pace/pacetest"
	"stoa/internal/server"
)

const announcing = "POST /graphql HTTP/1.1\r\nHost: stoa.test\r\nAuthorization: ana\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"

func TestASlowBodyIsCutOff(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		conn, err := net.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		began, sent := time.Now(), make(chan struct{})
		defer func() { conn.Close(); <-sent }()
		go func() {
			defer close(sent)
			fmt.Fprintf(conn, announcing, 1<<20)
			for { // a byte a second
				if _, err := io.WriteString(conn, " "); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout {
			t.Fatalf("answered %v, %v", answer, err)
		}
		if waited := time.Since(began); waited > 11*time.Second {
			t.Errorf("cut off after %v", waited)
		}
	})
}

// Clients that read only after they have sent everything see why it is refused.
func TestRefusalsOfLargeBodies(t *testing.T) {
	s := newService(t, nil)
	for name, c := range map[string]struct {
		header string
		status int
	}{
		"too large":                 {"Authorization: ana\r\nContent-Type: application/json", http.StatusRequestEntityTooLarge},
		"without a token":           {"Content-Type: application/json", http.StatusUnauthorized},
		"of a type that is no JSON": {"Authorization: ana\r\nContent-Type: text/plain", http.StatusUnsupportedMediaType},
	} {
		answer, body := pacetest.Whole(t, s, "POST /graphql HTTP/1.1\r\nHost: stoa.test\r\n"+c.header+"\r\nContent-Length: 16000000\r\n\r\n", 16_000_000)
		if answer.StatusCode != c.status || !strings.Contains(body, "errors") {
			t.Errorf("%s: answered %s, %s", name, answer.Status, body)
		}
	}
}

func TestABodyMayTakeItsTime(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, _ *service, net *memoryNet, _ func()) {
		conn, err := net.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		sent := make(chan struct{})
		defer func() { conn.Close(); <-sent }()
		body := document(t, `mutation{touch(note:"`+strings.Repeat("x", 600_000)+`")}`, nil)
		go func() {
			defer close(sent)
			fmt.Fprintf(conn, announcing, len(body))
			for len(body) > 0 { // 5,000 bytes a second, for two minutes
				n := min(len(body), 5000)
				if _, err := io.WriteString(conn, body[:n]); err != nil {
					return
				}
				body = body[n:]
				time.Sleep(time.Second)
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("answered %v, %v", answer, err)
		}
		if n, err := io.Copy(io.Discard, answer.Body); err != nil || n < 600_000 {
			t.Errorf("read %d bytes, %v", n, err)
		}
	})
}

func TestBodiesAreBoundedTogether(t *testing.T) {
	s := newService(t, func(c *server.Config) {
		c.Limits.BodiesBytes = 2 << 20
		c.Systems[0].Public = func(string, string) bool { return true }
	})
	by := func(token string, body io.Reader) int {
		r := httptest.NewRequest("POST", "/graphql", body)
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	post := func(body io.Reader) int { return by("ana", body) }
	large := func() io.Reader {
		return strings.NewReader(document(t, `mutation{touch(note:"`+strings.Repeat("x", 700_000)+`")}`, nil))
	}
	arriving, sender := io.Pipe()
	answered := make(chan int)
	go func() { answered <- post(arriving) }()
	io.CopyN(sender, large(), 600_000)
	if got := post(large()); got != http.StatusServiceUnavailable {
		t.Errorf("beyond the bound: %d", got)
	}
	if got := by("", strings.NewReader(document(t, `mutation{touch(note:"`+strings.Repeat("x", 100_000)+`")}`, nil))); got != http.StatusOK {
		t.Errorf("somebody else's: %d", got)
	}
	if got := post(strings.NewReader(`{"query":"{__typename}"}`)); got != http.StatusOK {
		t.Errorf("a short request beside large ones: %d", got)
	}
	sender.CloseWithError(io.ErrUnexpectedEOF)
	if got := <-answered; got != http.StatusBadRequest {
		t.Errorf("a body that ends early: %d", got)
	}
	if got := post(large()); got != http.StatusOK {
		t.Errorf("what was held is not given back: %d", got)
	}
}

// Reading a body takes less than three times its memory.
func TestMemoryOfABody(t *testing.T) {
	const size = 16 << 20
	s := newService(t, func(c *server.Config) { c.Limits.BodyBytes = size })
	r := httptest.NewRequest("POST", "/graphql", io.MultiReader(strings.NewReader(strings.Repeat(" ", size-1)), iotest.ErrReader(io.ErrUnexpectedEOF)))
	r.ContentLength = size
	r.Header.Set("Authorization", "ana")
	r.Header.Set("Content-Type", "application/json")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusBadRequest {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 3*size {
		t.Errorf("a body of %d bytes takes %d", size, took)
	}
}
