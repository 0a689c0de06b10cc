package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// pair is two people with a topic: one publishes in it, the other listens.
type pair struct {
	// publish returns once the server has responded.
	publish func(text string) error
	// heard receives the texts delivered to the other person.
	heard <-chan string
}

// peer is a measured server.
type peer struct {
	name string
	// pair returns the nth pair.
	pair   func(n int) (*pair, error)
	cpu    func() (float64, error)
	settle func() error
	pairs  []*pair
}

// result is the cost of a run: CPU seconds of the server for 1,000 messages, and the times
// from when a message was due until it was received.
type result struct {
	cpu, perSecond float64
	p50, p99       time.Duration
}

func (p *peer) run(w workload, length time.Duration) (result, error) {
	for len(p.pairs) < w.pairs {
		made, err := p.pair(len(p.pairs))
		if err != nil {
			return result{}, err
		}
		p.pairs = append(p.pairs, made)
	}
	if err := p.settle(); err != nil {
		return result{}, err
	}
	before, err := p.cpu()
	if err != nil {
		return result{}, err
	}
	var interval time.Duration
	if w.rate > 0 {
		interval = time.Second * time.Duration(w.pairs) / time.Duration(w.rate)
	}
	start := time.Now()
	var (
		mu   sync.Mutex
		took []time.Duration
		errs []error
		all  sync.WaitGroup
	)
	for _, pair := range p.pairs[:w.pairs] {
		all.Go(func() {
			t, err := pair.converse(start, interval, length)
			mu.Lock()
			defer mu.Unlock()
			took, errs = append(took, t...), append(errs, err)
		})
	}
	all.Wait()
	elapsed := time.Since(start)
	if err := errors.Join(append(errs, p.settle())...); err != nil {
		return result{}, err
	}
	after, err := p.cpu()
	slices.Sort(took)
	n := len(took)
	return result{(after - before) / float64(n) * 1000, float64(n) / elapsed.Seconds(), took[n/2], took[n*99/100]}, err
}

// patience is the timeout for a message to be received.
const patience = 5 * time.Second

// converse publishes a message at every interval, but not before the previous one has been
// received. A delayed message counts as due on time.
func (p *pair) converse(start time.Time, interval, length time.Duration) (took []time.Duration, err error) {
	for n := 0; time.Since(start) < length; n++ {
		due := time.Now()
		if interval > 0 {
			due = start.Add(time.Duration(n) * interval)
			time.Sleep(time.Until(due))
		}
		text := fmt.Sprintf("hello there, message %d of this topic %d", n, due.UnixNano())
		answered := make(chan error, 1)
		go func() { answered <- p.publish(text) }()
		select {
		case heard := <-p.heard:
			if heard != text {
				return nil, fmt.Errorf("received %q instead of %q", heard, text)
			}
			took = append(took, time.Since(due))
			if err := <-answered; err != nil {
				return nil, err
			}
		case <-time.After(patience):
			return nil, fmt.Errorf("%q was not received", text)
		}
	}
	return took, nil
}
