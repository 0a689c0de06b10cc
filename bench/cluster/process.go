package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"stoa/bench/load"
)

// startup is the timeout of starting a process.
const startup = time.Minute

// Process is a running stoa serve.
type Process struct {
	Name, URL string

	cmd   *exec.Cmd
	log   string
	ended chan struct{}

	mu      sync.Mutex
	stopped bool
}

// Start runs stoa serve on the store, with more arguments.
func (c *Cluster) Start(args ...string) (*Process, error) {
	c.started++
	name := fmt.Sprint("p", c.started)
	all := []string{"serve", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--log-level", "warn", "--media", "memory:"}
	if c.Endpoint == nil {
		all = append(all, "--store", "embedded:"+c.data())
	} else {
		all = append(all, "--store", c.Endpoint.URL, "--bus", c.bus.ClientURL())
	}
	p := &Process{Name: name, log: filepath.Join(c.Dir, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd = exec.Command(c.Binary, append(all, args...)...)
	p.cmd.Env = environment()
	p.cmd.Stderr = log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	giveUp := time.AfterFunc(startup, func() { p.cmd.Process.Kill() })
	defer giveUp.Stop()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "stoa serves "); ok {
			p.URL = url
			go func() {
				defer close(p.ended)
				_, _ = io.Copy(io.Discard, out)
				_ = p.cmd.Wait() // how it ends does not matter
			}()
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s does not start: %w\n%s", name, p.cmd.Wait(), p.Log(20))
}

// environment is that of a server that paces its collector itself, and finds credentials.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(set string) bool {
		return strings.HasPrefix(set, "GOGC=") || strings.HasPrefix(set, "GOMEMLIMIT=") || strings.HasPrefix(set, "AWS_")
	})
	return append(env, "AWS_ACCESS_KEY_ID=any", "AWS_SECRET_ACCESS_KEY=any", "AWS_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true")
}

// Log returns the last lines of the process's log.
func (p *Process) Log(lines int) string {
	text, _ := os.ReadFile(p.log)
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Kill ends the process like a failure of its machine.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // an error means that it has ended
	<-p.ended
}

// Pause stops the process until Resume.
func (p *Process) Pause() error { return p.signal(syscall.SIGSTOP, true) }

// Resume continues a paused process.
func (p *Process) Resume() error { return p.signal(syscall.SIGCONT, false) }

func (p *Process) signal(s syscall.Signal, stops bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = stops
	return p.cmd.Process.Signal(s)
}

// Paused reports whether the process has been stopped.
func (p *Process) Paused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// End shuts the process down.
func (p *Process) End() error {
	if p.Ended() {
		return nil
	}
	if err := p.signal(syscall.SIGTERM, false); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	_ = p.cmd.Process.Signal(syscall.SIGCONT) // so that it hears of it
	select {
	case <-p.ended:
		return nil
	case <-time.After(startup):
		p.Kill()
		return fmt.Errorf("%s does not end:\n%s", p.Name, p.Log(20))
	}
}

// EndAll shuts processes down.
func EndAll(processes []*Process) (err error) {
	for _, p := range processes {
		err = errors.Join(err, p.End())
	}
	return err
}

// Backlog is what processes have yet to deliver.
type Backlog struct{ Events, Lanes, Dead int }

func (b Backlog) String() string {
	return fmt.Sprintf("%d events, %d lanes, %d dead letters", b.Events, b.Lanes, b.Dead)
}

// backlogOf returns what some processes have yet to deliver, according to their metrics.
func backlogOf(ctx context.Context, processes []*Process) (b Backlog, err error) {
	for _, p := range processes {
		got, err := p.Metrics(ctx)
		if err != nil {
			return b, err
		}
		b.Events += int(got["stoa_outbox_undelivered"])
		b.Lanes += int(got["stoa_outbox_lanes"])
		b.Dead = max(b.Dead, int(got["stoa_outbox_dead_letters"]))
	}
	return b, nil
}

// Until calls done every now and then until it returns true, and returns how long that took.
func Until(ctx context.Context, most, every time.Duration, done func() (bool, error)) (time.Duration, error) {
	began := time.Now()
	for {
		ok, err := done()
		took := time.Since(began)
		switch {
		case ok && err == nil:
			return took, nil
		case ctx.Err() != nil:
			return took, ctx.Err()
		case took > most:
			return took, errors.Join(fmt.Errorf("not after %s", took.Round(time.Millisecond)), err)
		}
		time.Sleep(every)
	}
}

// Idle waits until processes have nothing to deliver, and returns how long that took.
func Idle(ctx context.Context, most time.Duration, processes ...*Process) (time.Duration, error) {
	var left Backlog
	took, err := Until(ctx, most, 100*time.Millisecond, func() (bool, error) {
		var err error
		left, err = backlogOf(ctx, processes)
		return left == Backlog{}, err
	})
	if err != nil {
		err = fmt.Errorf("%v are left: %w", left, err)
	}
	return took, err
}

// Metrics returns the values of the process's metrics, of which each is the sum over its labels.
func (p *Process) Metrics(ctx context.Context) (map[string]float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := load.Client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	sums := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, found := strings.Cut(lines.Text(), " ")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		if i := strings.LastIndexByte(lines.Text(), ' '); i >= 0 {
			value = lines.Text()[i+1:]
		}
		name, _, _ = strings.Cut(name, "{")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			sums[name] += v
		}
	}
	return sums, nil
}

// Check runs stoa check past the faults, and returns what it finds wrong. An embedded store must
// not be open.
func (c *Cluster) Check(ctx context.Context) error {
	at := "embedded:" + c.data()
	if c.Endpoint != nil {
		at = c.Endpoint.Calm
	}
	cmd := exec.CommandContext(ctx, c.Binary, "check", "--store", at)
	cmd.Env = environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("stoa check: %w\n%.4000s", err, out)
	}
	return nil
}
