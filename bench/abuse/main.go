// Command abuse attacks a stoa of its own with what hostile clients do, beside honest
// ones, and prints what became of both. It fails when an attack takes more than it may.
//
// Every attack is bounded in time, and all of it stays on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"stoa/bench/load"
)

// What an attack may take.
const (
	mostMemory = 150.0 // MiB above the state before
	mostSlower = 5.0   // times the honest p99 without it
)

// noise is a p99 that no attack is blamed for: less is the scheduler's.
var noise = flag.Duration("noise", 50*time.Millisecond, "honest p99 that no attack is blamed for, for machines that do other things too")

var only = flag.String("only", "", "make the attacks only whose names hold this")

func main() {
	each := flag.Duration("time", 60*time.Second, "how long each attack lasts")
	rest := flag.Duration("rest", 30*time.Second, "how long memory may take to be given back")
	flag.Parse()
	if err := run(*each, *rest); err != nil {
		fmt.Fprintln(os.Stderr, "abuse:", err)
		os.Exit(1)
	}
}

func run(each, rest time.Duration) error {
	dir, err := os.MkdirTemp("", "stoa-abuse-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	target, err := start(dir)
	if err != nil {
		return err
	}
	defer target.stop()
	if err := target.prepare(); err != nil {
		return err
	}
	honest := target.honest(min(each, 5*time.Second), nil)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "attack\tmemory before\tmost\tafter\thonest p99\tfailed\toutcome")
	fmt.Fprintf(out, "none\t\t%.0f MiB\t\t%s\t%d\t\n", target.memory(), honest.p99, honest.failed)
	var failed error
	for _, a := range attacks {
		if !strings.Contains(a.name, *only) {
			continue
		}
		row := target.attack(a, each, rest)
		fmt.Fprintf(out, "%s\t%.0f MiB\t%.0f MiB\t%.0f MiB\t%s\t%d\t%s\n",
			a.name, row.before, row.most, row.after, row.honest.p99, row.honest.failed, row.outcome)
		failed = errors.Join(failed, row.judge(a.name, honest.p99))
	}
	return errors.Join(out.Flush(), failed)
}

// row is what became of an attack.
type row struct {
	before, most, after float64
	honest              quality
	outcome             string
}

func (r row) judge(name string, usual time.Duration) (err error) {
	if more := r.most - r.before; more > mostMemory {
		err = errors.Join(err, fmt.Errorf("%s: memory rose by %.0f MiB", name, more))
	}
	if kept := r.after - r.before; kept > mostMemory/2 {
		err = errors.Join(err, fmt.Errorf("%s: %.0f MiB are not given back", name, kept))
	}
	if strings.Contains(r.outcome, "FAILED") {
		err = errors.Join(err, fmt.Errorf("%s: %s", name, r.outcome))
	}
	if r.honest.failed > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %d honest requests failed", name, r.honest.failed))
	}
	if bound := max(*noise, time.Duration(mostSlower*float64(usual))); r.honest.p99 > bound {
		err = errors.Join(err, fmt.Errorf("%s: the honest p99 is %s, more than %s", name, r.honest.p99, bound))
	}
	return err
}

// target is the stoa that is attacked.
type target struct {
	process *exec.Cmd
	binary  string
	url     string
	addr    string
	tokens  []string
	mails   *mailbox
}

func start(dir string) (*target, error) {
	binary := filepath.Join(dir, "stoa")
	build := exec.Command("go", "build", "-o", binary, "./cmd/stoa")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	addr, err := free()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	mails, err := newMailbox()
	if err != nil {
		return nil, err
	}
	// As it is served to the internet: with limits, and proofs of addresses.
	cmd := exec.Command(binary, "serve", "--listen", addr, "--store", "embedded:"+filepath.Join(dir, "data"),
		"--identity", "local", "--mailer", "smtp://"+mails.address(), "--mail-from", "abuse@example.com")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &target{process: cmd, url: "http://" + addr, addr: addr, binary: binary, mails: mails}
	for range 500 {
		if status, _, err := t.get("/readyz"); err == nil && status == 200 {
			return t, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.stop()
	return nil, errors.New("the server does not become ready")
}

func (t *target) stop() {
	_ = t.process.Process.Signal(os.Interrupt)
	_ = t.process.Wait() // its end is not what is judged
}

func (t *target) memory() float64 {
	mib, err := load.MemoryMiB(t.process.Process.Pid)
	if err != nil {
		return 0 // the server is gone, which honest clients notice
	}
	return mib
}

// attack lets an attack run beside honest clients and watches the memory.
func (t *target) attack(a attack, each, rest time.Duration) (r row) {
	r.before = t.memory()
	r.most = r.before
	ctx, cancel := context.WithTimeout(context.Background(), each)
	defer cancel()
	over := make(chan string, 1)
	go func() { over <- a.run(ctx, t) }()
	r.honest = t.honest(each, func() { r.most = max(r.most, t.memory()) })
	r.outcome = <-over
	for deadline := time.Now().Add(rest); ; time.Sleep(200 * time.Millisecond) {
		if r.after = t.memory(); r.after-r.before <= mostMemory/2 || time.Now().After(deadline) {
			return r
		}
	}
}
