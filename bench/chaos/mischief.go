package main

import (
	"context"
	"log"
	"math/rand/v2"
	"time"

	"stoa/bench/cluster"
)

// usualFaults are those of an ordinary bad day, storm those of a few bad seconds.
var (
	usualFaults = cluster.Faults{Throttle: 0.02, Slow: 0.02, Duplicate: 0.02, Reset: 0.02, Hang: 0.001}
	stormFaults = cluster.Faults{Throttle: 0.3, Slow: 0.1, Duplicate: 0.1, Reset: 0.1, Hang: 0.005}
)

// mischief kills and stops processes, at most one of each at a time, and makes the store worse,
// until ctx is done.
func (c *chaos) mischief(ctx context.Context, random *rand.Rand) {
	for {
		if !pause(ctx, between(random, time.Second, 4*time.Second)) {
			return
		}
		i := random.IntN(processes)
		p := c.all()[i]
		switch what := random.IntN(5); {
		case what < 2:
			c.count("killed")
			p.Kill()
			c.happened(&c.killed)
			pause(ctx, between(random, 0, 3*time.Second))
			for err := c.start(i, random); err != nil; err = c.start(i, random) {
				log.Printf("%s, again", err) // the store has refused what a start needs
				if !pause(ctx, time.Second) {
					return
				}
			}
		case what < 4:
			c.count("stopped")
			c.happened(&c.stopped)
			if err := p.Pause(); err != nil {
				log.Print(err)
			}
			pause(ctx, between(random, time.Second, 16*time.Second))
			if err := p.Resume(); err != nil {
				log.Print(err)
			}
			c.happened(&c.stopped)
		default:
			c.count("storms")
			c.Endpoint.SetFaults(stormFaults, random.Uint64())
			pause(ctx, between(random, time.Second, 4*time.Second))
			c.Endpoint.SetFaults(usualFaults, random.Uint64())
		}
	}
}

// wakeAll lets all processes run.
func (c *chaos) wakeAll(random *rand.Rand) error {
	for i, p := range c.all() {
		if p.Ended() {
			if err := c.start(i, random); err != nil {
				return err
			}
		} else if p.Paused() {
			if err := p.Resume(); err != nil {
				return err
			}
		}
	}
	return nil
}

func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(random.Int64N(int64(most-least)))
}

// pause returns false if ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
