package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// beProgram in the environment turns the test binary into the program itself: a real
// process that can be killed.
const beProgram = "STOA_TEST_BE_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
		os.Exit(0)
	}
	code := m.Run()
	for _, dir := range networks {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// patience is the timeout for any step of a test.
const patience = 30 * time.Second

// process is a running `stoa serve`.
type process struct {
	t   testing.TB
	cmd *exec.Cmd
	url string
	log *lockedBuffer
	// out is what it prints once it serves.
	out     *lockedBuffer
	printed sync.WaitGroup
}

// program returns the program as a process of its own, which is not started yet.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), beProgram+"=1")
	return cmd
}

// startProcess starts `stoa serve` on a free port and waits until it answers.
func startProcess(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{t: t, log: &lockedBuffer{}, out: &lockedBuffer{}}
	p.cmd = program(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	p.cmd.Stderr = p.log
	p.await()
	return p
}

// await starts the process and waits until it serves.
func (p *process) await() {
	t := p.t
	t.Helper()
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	giveUp := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer giveUp.Stop()
	lines := bufio.NewReader(out)
	for line, err := lines.ReadString('\n'); err == nil; line, err = lines.ReadString('\n') {
		if url, ok := strings.CutPrefix(strings.TrimSpace(line), "stoa serves "); ok {
			p.url = strings.TrimPrefix(url, "DynamoDB on ")
			p.printed.Go(func() { io.Copy(p.out, lines) })
			return
		}
	}
	t.Fatalf("the server did not start: %v\n%s", p.cmd.Wait(), p.log)
}

// end sends a signal, waits for the process to exit and returns its state.
func (p *process) end(signal syscall.Signal) *os.ProcessState {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	giveUp := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer giveUp.Stop()
	p.printed.Wait() // before Wait, which closes the pipe
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
