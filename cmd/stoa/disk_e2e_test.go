//go:build e2e

package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// smallDisk mounts a file system of the given size, which requires root.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", bytes)); err != nil {
		t.Fatalf("a small file system cannot be mounted, run this as root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// ballast fills a disk with a file of the given size, or until no space is left.
func ballast(t *testing.T, dir string, bytes int64) (remove func()) {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(f, zeros{}, bytes); err != nil && !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// poster adds posts and remembers those that were acknowledged.
type poster struct {
	*person
	mu    sync.Mutex
	texts map[string]string
}

// add adds a post with an incompressible text, and reports whether it was added. The only
// errors allowed are that the disk is full, or became full during the write. All responses
// arrive quickly.
func (p *poster) add(id string) bool {
	random := make([]byte, 50_000)
	rand.Read(random)
	text := hex.EncodeToString(random)
	began := time.Now()
	answer := post(p.t, p.url+"/graphql", p.token, http.StatusOK, map[string]any{
		"query":     `mutation($id: ID!, $text: String!) { addPost(postId: $id, postType: TEXT_ONLY, text: $text) { postId } }`,
		"variables": map[string]any{"id": id, "text": text},
	})
	if errs, refused := answer["errors"].([]any); refused {
		switch got := at[string](errs[0], "message"); got {
		case "ServerError: Nothing can be stored at the moment: try again later":
		case "ServerError: It is not known whether this was stored, as there is no room at the moment: look before trying again":
			p.t.Logf("%s: %s", id, got)
		default:
			p.t.Errorf("refused with %q", got)
		}
		if took := time.Since(began); took > 15*time.Second {
			p.t.Errorf("refused after %v", took)
		}
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts[id] = text
	return true
}

// fill adds posts concurrently until they are refused.
func (p *poster) fill(name string, most int) {
	p.t.Helper()
	var all sync.WaitGroup
	for side := range 3 {
		all.Go(func() {
			for n := range most {
				if !p.add(fmt.Sprintf("%s-%d-%d", name, side, n)) {
					return
				}
			}
			p.t.Errorf("%d posts fit onto the disk", most)
		})
	}
	all.Wait()
}

// demand reads all posts that were acknowledged.
func (p *poster) demand(when string) {
	p.t.Helper()
	if len(p.texts) < 20 {
		p.t.Fatalf("%s: only %d posts were added", when, len(p.texts))
	}
	for id, text := range p.texts {
		if got := at[string](p.ask(`query($id: ID!) { post(postId: $id) { text } }`, map[string]any{"id": id}), "post.text"); got != text {
			p.t.Errorf("%s: post %s is lost", when, id)
		}
	}
}

// ready waits until /readyz answers with the given status.
func (p *poster) ready(want int) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(p.url + "/readyz")
		if err != nil {
			p.t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == want {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("readyz answers %s, want %d", response.Status, want)
		}
	}
}

// A real disk fills up: no acknowledged write is lost, writes are refused with a clear
// error, reads continue, and writes resume when space is available. A kill on a full disk
// loses nothing, either.
func TestARealDiskFillsUp(t *testing.T) {
	const size = 96 << 20
	dir := smallDisk(t, size)
	args := []string{"--store", "embedded:" + filepath.Join(dir, "data"), "--media", "memory:"}
	server := startProcess(t, args...)
	ana := &poster{person: signUp(t, server.url, "ana"), texts: map[string]string{}}
	free := ballast(t, dir, size/2)
	ana.fill("first", size/100_000)
	ana.ready(http.StatusServiceUnavailable)
	ana.demand("while the disk is full")
	tight := smallDisk(t, 512<<10)
	half := filepath.Join(tight, "backup.gz")
	if _, err := run(t, "backup", half, "--store", "embedded:"+filepath.Join(dir, "data")); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("a backup onto a disk that gets full: %v", err)
	}
	if left, err := os.ReadDir(tight); err != nil || len(left) > 0 {
		t.Errorf("a backup onto a disk that gets full leaves %v, %v", left, err)
	}
	refused := post(t, server.url+"/auth/sign-up", "", http.StatusServiceUnavailable, map[string]string{"email": "ben@example.com", "password": "correct horse battery"})
	if got := at[string](refused, "error.message"); got != "Nothing can be stored at the moment: try again later" {
		t.Errorf("a sign-up is refused with %q", got)
	}
	if n := strings.Count(server.log.String(), "the disk is full; refusing writes until space is available"); n != 1 {
		t.Errorf("the log says %d times that the disk is full", n)
	}

	free()
	ana.ready(http.StatusOK)
	if !ana.add("after") {
		t.Error("a post is refused though there is room")
	}

	// Another program takes all the space while posts are being added, and then the process
	// is killed.
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		ana.fill("second", size/100_000)
	}()
	free = ballast(t, dir, size)
	<-filled
	ana.demand("when others have filled the disk")
	server.end(syscall.SIGKILL)
	free()
	server = startProcess(t, args...)
	ana.url = server.url
	ana.demand("after a kill on a full disk")
	if !ana.add("last") {
		t.Error("a post is refused after the restart")
	}
	if state := server.end(syscall.SIGTERM); state.ExitCode() != 0 {
		t.Errorf("the server ended with %s\n%s", state, server.log)
	}
	if printed, err := run(t, "check", "--store", "embedded:"+filepath.Join(dir, "data")); err != nil {
		t.Errorf("%v:\n%s", err, printed)
	}
}

// A file system that is mounted read-only is refused, also with a database on it, and says
// so instead of that another process uses the data.
func TestARealDirectoryThatCannotBeWritten(t *testing.T) {
	disk := smallDisk(t, 192<<20)
	dir := filepath.Join(disk, "data")
	args := []string{"serve", "--listen", "127.0.0.1:0", "--store", "embedded:" + dir, "--media", "memory:"}
	server := startProcess(t, args[3:]...)
	server.end(syscall.SIGTERM)
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(os.Args[0], args...)
	program.Env = append(os.Environ(), beProgram+"=1")
	var said strings.Builder
	program.Stderr = &said
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	giveUp := time.AfterFunc(patience, func() { program.Process.Kill() })
	defer giveUp.Stop()
	_ = program.Wait()
	want := "stoa: the data directory " + dir + " cannot be written (read-only file system): "
	if code := program.ProcessState.ExitCode(); code != 1 || !strings.HasPrefix(said.String(), want) || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("ended with %d and said %q, want %q", code, said.String(), want)
	}
}
