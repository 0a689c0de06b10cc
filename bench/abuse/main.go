// Command abuse attacks a stoa process of its own, with honest clients at the same time,
// and prints the effects on both. It fails if an attack exceeds a limit.
//
// Every attack is limited in time and stays on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"stoa/bench/load"
)

// Limits of an attack's effects.
const (
	mostMemory = 125.0 // MiB in addition to honest clients' use
	mostKept   = mostMemory / 2
	mostSlower = 5.0 // relative to the honest p99 without attacks
)

// noise is a p99 up to which an attack is not blamed, because it may be due to scheduling.
const noise = 50 * time.Millisecond

// rest is the timeout for memory to be released.
const rest = 30 * time.Second

var (
	each  = flag.Duration("time", 60*time.Second, "duration of an attack, or of three variants together")
	short = flag.Bool("short", false, "limit attacks to 2 s and check only memory and outcomes: times mean nothing on a busy machine")
	only  = flag.String("only", "", "run only attacks whose names contain one of these texts, separated by |")
)

func main() {
	honest := flag.String("honest", "", "only run honest clients of this URL, whose tokens are standard input")
	flag.Parse()
	if *honest != "" {
		if err := beHonest(*honest, *each, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "abuse:", err)
			os.Exit(1)
		}
		return
	}
	if *short {
		*each = 2 * time.Second
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "abuse:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "stoa-abuse-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	target, err := start(dir)
	if err != nil {
		return err
	}
	defer target.server.Stop()
	if err := errors.Join(target.prepare(), target.prepareArchive(), target.fillCaches()); err != nil {
		return err
	}
	usual, err := target.usual()
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "attack\tpeak memory\tafterwards\thonest p99\tfailed\toutcome")
	fmt.Fprintln(out, usual)
	var failed error
	for _, a := range attacks {
		if !slices.ContainsFunc(strings.Split(*only, "|"), func(text string) bool { return strings.Contains(a.name, text) }) {
			continue
		}
		row := target.attack(a, usual.most)
		fmt.Fprintln(out, row)
		failed = errors.Join(failed, row.judge(usual))
	}
	return errors.Join(out.Flush(), failed)
}

// row is the result of an attack. Memory is in MiB.
type row struct {
	name        string
	most, after float64
	honest      quality
	outcome     string
}

func (r row) String() string {
	return fmt.Sprintf("%s\t%.0f MiB\t%.0f MiB\t%s\t%d\t%s", r.name, r.most, r.after, r.honest.P99, r.honest.Failed, r.outcome)
}

func (r row) judge(usual row) error {
	var all []error
	blame := func(format string, args ...any) {
		all = append(all, fmt.Errorf("%s: %s", r.name, fmt.Sprintf(format, args...)))
	}
	if more := r.most - usual.most; more > mostMemory {
		blame("memory rose by %.0f MiB", more)
	}
	if kept := r.after - usual.most; kept > mostKept {
		blame("%.0f MiB were not released", kept)
	}
	if strings.Contains(r.outcome, "FAILED") {
		blame("%s", r.outcome)
	}
	if r.honest.Failed > 0 {
		blame("%d honest requests failed", r.honest.Failed)
	}
	if bound := max(noise, time.Duration(mostSlower*float64(usual.honest.P99))); !*short && r.honest.P99 > bound {
		blame("the honest p99 is %s, more than %s", r.honest.P99, bound)
	}
	return errors.Join(all...)
}

// target is the attacked stoa process.
type target struct {
	server *load.Server
	binary string
	url    string
	addr   string
	mails  *mailbox
	// tokens are the tokens of the honest clients and, last, the attacker.
	tokens     []string
	attackerID string
	// anonymous is the token of an anonymous identity.
	anonymous string
	// collection is a collection of the archive.
	collection string
}

func start(dir string) (*target, error) {
	binary, err := load.Build(context.Background(), dir, "cmd/stoa")
	if err != nil {
		return nil, err
	}
	addr, err := load.FreeAddress()
	if err != nil {
		return nil, err
	}
	mails, err := newMailbox()
	if err != nil {
		return nil, err
	}
	// As on the internet: with limits and verified addresses.
	server, err := load.Start(
		addr,
		filepath.Join(dir, "log"),
		binary,
		"serve",
		"--listen",
		addr,
		"--store",
		"embedded:"+filepath.Join(dir, "data"),
		"--systems",
		"social,messaging,communities,archive",
		"--operators",
		"person0@example.com",
		"--archive-level",
		"contributor",
		"--identity",
		"local",
		"--mailer",
		"smtp://"+mails.address(),
		"--mail-from",
		"abuse@example.com",
		"--app-url",
		"https://app.example",
		"--app-name",
		"Abuse",
	)
	if err != nil {
		return nil, err
	}
	return &target{server: server, url: "http://" + addr, addr: addr, binary: binary, mails: mails}, nil
}

func (t *target) memory() float64 {
	mib, err := load.MemoryMiB(t.server.PID())
	if err != nil {
		return 0 // the server has died, which honest clients notice
	}
	return mib
}

// usual measures honest clients and memory without attacks. The collector lets garbage
// accumulate to a multiple of the live heap, so memory is compared with the maximum rather
// than a current value.
func (t *target) usual() (row, error) {
	r := row{name: "none"}
	stop := t.watch(&r.most)
	err := t.readPosts(60)
	if err == nil {
		r.honest, err = t.honest(min(*each, 5*time.Second))
	}
	stop()
	r.after = t.memory()
	return r, err
}

// attack runs an attack alongside honest clients and watches the memory until it is back to
// normal or a timeout has passed.
func (t *target) attack(a attack, usual float64) row {
	r := row{name: a.name}
	ctx, cancel := context.WithTimeout(context.Background(), a.lasts())
	defer cancel()
	over := make(chan string, 1)
	go func() { over <- a.run(ctx, t) }()
	stop := t.watch(&r.most)
	var err error
	r.honest, err = t.honest(a.lasts())
	r.outcome = <-over
	stop()
	if err != nil {
		r.outcome += "; FAILED: " + err.Error()
	}
	for deadline := time.Now().Add(rest); ; {
		// Without requests there would be no collection for two minutes.
		if err := t.readPosts(1); err != nil {
			r.outcome += "; FAILED: " + err.Error()
			return r
		}
		if r.after = t.memory(); r.after <= usual+mostKept || time.Now().After(deadline) {
			return r
		}
	}
}

// watch records the maximum memory until stop is called.
func (t *target) watch(most *float64) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			*most = max(*most, t.memory())
			select {
			case <-tick.C:
			case <-end:
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
