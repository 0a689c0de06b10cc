package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"
)

// operator 8#2: a process dies while it waits for the answer of a content check. Nothing of the
// post is stored; the repetition is checked again, and then decided.
func TestAProcessDiesDuringAContentCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	store := "embedded:" + t.TempDir()
	asked, answers := make(chan struct{}, 2), atomic.Bool{}
	checker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		if !answers.Load() {
			<-r.Context().Done() // until the process is dead
			return
		}
		_, _ = io.WriteString(w, `{"verdict": "HOLD", "rule": "spam"}`)
	}))
	t.Cleanup(checker.Close)
	serve := func() *process {
		return startProcess(t, "--store", store, "--webhook-private", "--check-url", checker.URL, "--check-timeout", "10s")
	}
	dies := serve()
	ana := signUp(t, dies.url, "ana")
	const (
		mutation = `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "once") { postStatus } }`
		own      = `{ self { postCount posts { items { postId postStatus } } } post(postId: "p1") { text } }`
	)
	status := make(chan int)
	go func() {
		s, _ := ana.withKey("a post", mutation)
		status <- s
	}()
	<-asked
	dies.end(syscall.SIGKILL)
	if s := <-status; s != 0 {
		t.Fatalf("the process that dies answers %d", s)
	}
	mustRun(t, "check", "--store", store)

	answers.Store(true)
	lives := serve()
	ana = ana.from(lives)
	if data := ana.ask(own, nil); data["post"] != nil || at[float64](data, "self.postCount") != 0 {
		t.Errorf("after the process has died, there is %v", data)
	}
	for range 2 { // the second time it is answered from what is recorded
		if s, body := ana.withKey("a post", mutation); s != http.StatusOK || body != `{"data":{"addPost":{"postStatus":"PROCESSING"}}}` {
			t.Errorf("the repetition is answered %d %s", s, body)
		}
	}
	<-asked
	if len(asked) > 0 {
		t.Error("a recorded answer was checked again")
	}
	if data := ana.ask(own, nil); at[string](data, "post.text") != "once" {
		t.Errorf("its author sees %v", data)
	}
	lives.end(syscall.SIGTERM)
	mustRun(t, "check", "--store", store)
}
