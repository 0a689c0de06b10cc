// Command chaos lets random users work on three processes that share a faulty store, have clocks
// that differ, and are killed and stopped all the time. Afterwards it compares what users see with
// what they have been told, and fails if anything is different.
//
// Who does what, and which faults there are, follows from the seed; when they happen to meet does
// not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"stoa/bench/cluster"
	"stoa/social"
)

var (
	lasts = flag.Duration("for", 3*time.Minute, "how long there are faults; what follows takes up to two minutes more")
	seed  = flag.Uint64("seed", 0, "seed of what users and faults do; 0 chooses one")
	many  = flag.Int("users", 24, "number of users, an even one")
)

const (
	processes = 3
	// maxOffset is how far clocks are ahead or behind.
	maxOffset = 5 * time.Second
	// mostUntilIdle is how long deliveries may take when the faults are over.
	mostUntilIdle = 60 * time.Second
	// told is how long subscribers may take to be told that a process has died: NATS is asked
	// for ten seconds, and connections that break are opened again.
	told = 20 * time.Second
)

func main() {
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())%1_000_000 + 1
	}
	fmt.Printf("chaos: seed %d, for %s\n", *seed, *lasts)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "chaos: with seed %d: %v\n", *seed, err)
		os.Exit(1)
	}
}

// chaos is a run.
type chaos struct {
	*cluster.Cluster
	model *model

	mu      sync.Mutex
	running []*cluster.Process
	did     map[string]int
	// killed and stopped are when processes were killed, and when they were stopped or ran again.
	killed, stopped []time.Time
}

func run(ctx context.Context) (err error) {
	c := &chaos{did: map[string]int{}}
	if c.Cluster, err = cluster.Open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	people, err := c.fill(ctx)
	if err != nil {
		return err
	}
	if err := c.Serve(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.EndAll(c.all())) }()
	random := rand.New(rand.NewPCG(*seed, 0))
	for i := range processes {
		if err := c.start(i, random); err != nil {
			return err
		}
	}
	c.model = newModel(people)
	if err := c.openChats(ctx); err != nil {
		return err
	}
	listening, stopListening := context.WithCancel(ctx)
	defer stopListening()
	histories := c.listenAll(listening)

	log.Printf("faults begin")
	c.Endpoint.SetFaults(usualFaults, *seed)
	working, stop := context.WithTimeout(ctx, *lasts)
	defer stop()
	var all sync.WaitGroup
	all.Go(func() { c.mischief(working, random) })
	for i := range people {
		all.Go(func() { c.live(working, i) })
	}
	all.Wait()
	c.Endpoint.SetFaults(cluster.Faults{}, *seed)
	log.Printf("faults are over")
	if err := c.wakeAll(random); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	failed := c.settle(ctx)
	time.Sleep(told)
	stopListening()
	failed = errors.Join(failed, c.compare(ctx))
	for _, h := range histories {
		failed = errors.Join(failed, c.judge(h))
	}
	failed = errors.Join(failed, c.Check(ctx))
	c.report(histories)
	if failed != nil {
		for _, p := range c.all() {
			fmt.Printf("log of %s:\n%s\n", p.Name, p.Log(5))
		}
	}
	return failed
}

// fill stores users.
func (c *chaos) fill(ctx context.Context) ([]cluster.Person, error) {
	var names []string
	for i := range *many {
		names = append(names, fmt.Sprintf("user%02d", i))
	}
	people, err := c.People(ctx, names...)
	if err != nil {
		return nil, err
	}
	fill := c.Store().NewFill()
	for _, p := range people {
		fill.User(social.User{
			UserID: p.ID, Username: p.Name, Email: p.Name + "@example.com", Privacy: social.Public, SignedUpAt: time.Now().Add(-time.Hour),
		}, 0)
	}
	return people, fill.Run(ctx)
}

// start starts the process with a number, whose clock is anything.
func (c *chaos) start(i int, random *rand.Rand) error {
	offset := time.Duration(random.Int64N(int64(2*maxOffset))) - maxOffset
	p, err := c.Start("--clock-offset", offset.Round(time.Millisecond).String())
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i == len(c.running) {
		c.running = append(c.running, p)
	} else {
		c.running[i] = p
	}
	return nil
}

func (c *chaos) all() []*cluster.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.running)
}

// some returns a process that runs, as far as users know: it may have been stopped.
func (c *chaos) some(random *rand.Rand) *cluster.Process {
	all := c.all()
	p := all[random.IntN(len(all))]
	if p.Ended() {
		p = all[random.IntN(len(all))]
	}
	return p
}

// settle waits until nothing is left to deliver.
func (c *chaos) settle(ctx context.Context) error {
	took, err := cluster.Idle(ctx, mostUntilIdle, c.all()...)
	if err == nil {
		log.Printf("nothing is left to deliver after %s", took.Round(time.Millisecond))
	}
	return err
}

func (c *chaos) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[what]++
}

func (c *chaos) report(histories []*history) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Printf("   users: %s\n", counts(c.did))
	fmt.Printf("   store: %s\n", counts(c.Endpoint.Counts()))
	why := map[string]int{}
	var events, gaps, again, resumed, excused, across int
	for _, h := range histories {
		events, gaps, again, resumed = events+h.events, gaps+len(h.gaps), again+h.again, resumed+h.resumed
		excused, across = excused+h.excused, across+h.across
		for reason, n := range h.why {
			why[reason] += n
		}
	}
	fmt.Printf("   subscribers: %d events, %d of them repeated, %d connections, %d gaps, which cover %d messages; "+
		"%d in another order than sent through two processes\n",
		events, again, resumed, gaps, excused, across)
	fmt.Printf("   gaps: %s\n", counts(why))
}

func counts(all map[string]int) (text string) {
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", name, all[name])
	}
	return text
}
