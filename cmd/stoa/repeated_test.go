package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/engine/wire"
)

// deadly is an endpoint that kills a process once a write has been carried out, and before the
// process hears of it.
type deadly struct {
	store http.Handler

	mu sync.Mutex
	// when reports whether a call is the one; nil for none.
	when func(operation, body string) bool
	kill func()
}

func (d *deadly) arm(when func(operation, body string) bool, kill func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.when, d.kill = when, kill
}

// armed reports whether nobody has been killed since arm.
func (d *deadly) armed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.when != nil
}

func (d *deadly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	d.mu.Lock()
	fatal := d.when != nil && d.when(operation, string(body))
	kill := d.kill
	if fatal {
		d.when = nil
	}
	d.mu.Unlock()
	if !fatal {
		d.store.ServeHTTP(w, r)
		return
	}
	d.store.ServeHTTP(httptest.NewRecorder(), r)
	kill()
	panic(http.ErrAbortHandler)
}

// withKey sends a mutation with a key and returns the status and the body of the answer, or 0 if
// there is none.
func (p *person) withKey(key, query string) (status int, body string) {
	p.t.Helper()
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, p.url+"/graphql", bytes.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {p.token}, "Idempotency-Key": {key}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(answer)
}

// A process dies after a mutation has been committed and before it is answered: before or after it
// has recorded the answer. Another process answers the repetition, which changes nothing more, and
// delivers what the first one has not.
func TestAKeyOutlivesItsProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and waits until they are taken for dead")
	}
	useCredentials(t, "id", "secret")
	endpoint := &deadly{store: wire.NewHandler(enginetest.Memory(t), slog.New(slog.DiscardHandler))}
	server := httptest.NewServer(endpoint)
	t.Cleanup(server.Close)
	if _, err := run(t, "tables", "apply", "--store", server.URL); err != nil {
		t.Fatal(err)
	}
	lives := startProcess(t, "--store", server.URL)
	ana, ben := signUp(t, lives.url, "ana"), signUp(t, lives.url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})

	const answer = `{"data":{"addPost":{"postId":"%","text":"once","postedBy":{"username":"ana"}}}}`
	for _, c := range []struct {
		name, post string
		when       func(operation, body string) bool
	}{
		{"before the answer is recorded", "p1", func(operation, body string) bool {
			return operation == "TransactWriteItems" && strings.Contains(body, "post/p1")
		}},
		{"after the answer is recorded", "p2", func(operation, body string) bool {
			return operation != "GetItem" && operation != "BatchGetItem" && operation != "Query" && strings.Contains(body, "/answer")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dies := startProcess(t, "--store", server.URL)
			killed := make(chan struct{})
			endpoint.arm(c.when, func() { dies.end(syscall.SIGKILL); close(killed) })
			mutation := strings.ReplaceAll(`mutation { addPost(postId: "%", postType: TEXT_ONLY, text: "once") { postId text postedBy { username } } }`, "%", c.post)
			if status, body := ana.from(dies).withKey("key of "+c.post, mutation); status != 0 {
				t.Fatalf("the process that dies answers %d %s", status, body)
			}
			<-killed
			want := strings.ReplaceAll(answer, "%", c.post)
			for range 2 {
				status, body := ana.from(lives).withKey("key of "+c.post, mutation)
				if strings.TrimSpace(body) != want || status != http.StatusOK {
					t.Errorf("the repetition is answered %d %s, want %s", status, body, want)
				}
			}
			if status, body := ana.from(lives).withKey("key of "+c.post, strings.ReplaceAll(mutation, "once", "twice")); status != http.StatusUnprocessableEntity {
				t.Errorf("another mutation with the key is answered %d %s", status, body)
			}
		})
	}
	if endpoint.armed() {
		t.Error("nobody died")
	}
	// The events of the dead are delivered by the other.
	for giveUp := time.Now().Add(patience); len(ben.feed()) < 2; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(giveUp) {
			t.Fatalf("ben's feed has %q", ben.feed())
		}
	}
	if posts := at[float64](ana.ask(`{ self { postCount } }`, nil), "self.postCount"); posts != 2 || len(ben.feed()) != 2 {
		t.Errorf("ana has %v posts, and ben's feed %q", posts, ben.feed())
	}
}
