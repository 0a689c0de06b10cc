// Command storm measures delivery where it is hardest, and fails if a bound is violated.
//
// It follows one user 3,000 times at 175 a second, lets that user post and delete the post, and
// looks into the feeds of 60 followers, while pairs of other users read each other's posts: on
// an embedded store, and on one that is 12 ms away. It then compares what one, two and three
// processes deliver, and stops a process for a minute in the midst of fan-outs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"stoa/bench/cluster"
)

// Bounds.
const (
	mostUntilSeen   = 10 * time.Second
	mostUntilGone   = 10 * time.Second
	mostForFriends  = 2 * time.Second
	mostUntilIdle   = 60 * time.Second
	mostUntilTaken  = 10 * time.Second
	leastTwice      = 1.8
	leastThreeTimes = 2.5
)

var (
	latency        = flag.Duration("latency", 12*time.Millisecond, "how far away the remote store is")
	throughputAway = flag.Duration("throughput-latency", 120*time.Millisecond,
		"how far away it is for comparing processes: so far that they wait for it rather than for the processors of this machine, which they share")
	sleep = flag.Duration("sleep", time.Minute, "how long a process is stopped")
	only  = flag.String("only", "embedded,remote,throughput,stop", "the parts that run")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "storm:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	parts := []struct {
		name string
		run  func(context.Context, *cluster.Cluster) error
	}{
		{"embedded", func(ctx context.Context, c *cluster.Cluster) error { return storm(ctx, c, false) }},
		{"remote", func(ctx context.Context, c *cluster.Cluster) error { return storm(ctx, c, true) }},
		{"throughput", throughput},
		{"stop", stopped},
	}
	c, err := cluster.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	fmt.Printf("%s, %d CPUs\n", runtime.Version(), runtime.NumCPU())
	var failed error
	for _, p := range parts {
		if !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		log.Printf("%s", p.name)
		if err := c.Reset(ctx); err != nil {
			return err
		}
		if err := p.run(ctx, c); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// report prints what was measured, and returns an error for each violated bound.
type report struct{ failed error }

func (r *report) printf(format string, args ...any) { fmt.Printf("   "+format+"\n", args...) }

// within reports a time that must not be longer than most.
func (r *report) within(what string, took, most time.Duration) {
	r.printf("%-52s %8s   (at most %s)", what, took.Round(10*time.Millisecond), most)
	if took > most {
		r.fail("%s took %s, more than %s", what, took, most)
	}
}

func (r *report) fail(format string, args ...any) {
	r.failed = errors.Join(r.failed, fmt.Errorf(format, args...))
}
