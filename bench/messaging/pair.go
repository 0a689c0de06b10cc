package main

import (
	"fmt"
	"time"

	"stoa/bench/load"
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

func (p *peer) run(w workload, length time.Duration) (load.Result, error) {
	for len(p.pairs) < w.pairs {
		made, err := p.pair(len(p.pairs))
		if err != nil {
			return load.Result{}, err
		}
		p.pairs = append(p.pairs, made)
	}
	if err := p.settle(); err != nil {
		return load.Result{}, err
	}
	var interval time.Duration
	if w.rate > 0 {
		interval = time.Second * time.Duration(w.pairs) / time.Duration(w.rate)
	}
	return load.Measure(w.pairs, p.cpu, p.settle, func(n int, start time.Time) ([]time.Duration, error) {
		return p.pairs[n].converse(start, interval, length)
	})
}

// patience is the timeout for a message to be received.
const patience = 5 * time.Second

// converse publishes a message at every interval, but not before the previous one has been
// received, and returns the times from when each was due until it was received. A delayed message counts as due on time.
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
