package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"stoa/bench/cluster"
	"stoa/internal/kit/page"
	"stoa/social"
)

// Fan-outs: twice as many as three processes have workers, each with several steps.
const (
	fanOuts   = 96
	followers = 1500
)

// throughput compares what one, two and three processes deliver of the same fan-outs.
func throughput(ctx context.Context, c *cluster.Cluster) error {
	n, err := fill(ctx, c, fanOuts, followers, 0, true)
	if err != nil {
		return err
	}
	if err := c.Serve(); err != nil {
		return err
	}
	fmt.Printf("throughput, store %s away: %d posts to %d followers each\n", *throughputAway, fanOuts, followers)
	r := &report{}
	var first float64
	for _, many := range []int{1, 2, 3} {
		speed, err := measure(ctx, c, n, many)
		if err != nil {
			return errors.Join(r.failed, err)
		}
		if many == 1 {
			first = speed
		}
		r.printf("%d processes: %6.0f feed entries/s, %.2f of one", many, speed, speed/first)
		if least := map[int]float64{1: 1, 2: leastTwice, 3: leastThreeTimes}[many]; speed/first < least {
			r.fail("%d processes deliver %.2f times what one does, less than %.1f", many, speed/first, least)
		}
	}
	return errors.Join(r.failed, c.Check(ctx))
}

// measure returns how many feed entries some processes write in a second.
func measure(ctx context.Context, c *cluster.Cluster, n *network, many int) (speed float64, err error) {
	processes, err := startAll(ctx, c, many)
	defer func() { err = errors.Join(err, cluster.EndAll(processes)) }()
	if err != nil {
		return 0, err
	}
	c.Endpoint.SetLatency(*throughputAway)
	defer c.Endpoint.SetLatency(0)
	began := time.Now()
	if _, err := postAll(ctx, n.stars, processes...); err != nil {
		return 0, err
	}
	if _, err := cluster.Idle(ctx, 3*time.Minute, processes...); err != nil {
		return 0, err
	}
	return float64(len(n.stars)*(len(n.fans)+1)) / time.Since(began).Seconds(), nil
}

// startAll starts processes and waits until each owns its part of the shards.
func startAll(ctx context.Context, c *cluster.Cluster, many int) (processes []*cluster.Process, err error) {
	for range many {
		p, err := c.Start()
		if err != nil {
			return processes, err
		}
		processes = append(processes, p)
	}
	_, err = cluster.Until(ctx, time.Minute, 200*time.Millisecond, func() (bool, error) {
		roster, err := c.Outbox().Roster(ctx)
		owned := map[string]int{}
		for _, owner := range roster.Owners {
			owned[owner]++
		}
		if delete(owned, ""); len(owned) != many || len(roster.Members) != many {
			return false, err
		}
		for _, shards := range owned {
			if shards < len(roster.Owners)/many-2 {
				return false, err
			}
		}
		return true, err
	})
	if err != nil {
		err = fmt.Errorf("%d processes do not share the shards: %w", many, err)
	}
	return processes, err
}

// postAll lets all stars post at the same time, in turn at each process, and returns the posts.
func postAll(ctx context.Context, stars []cluster.Person, at ...*cluster.Process) ([]string, error) {
	ids, errs := make([]string, len(stars)), make([]error, len(stars))
	var all sync.WaitGroup
	for i, star := range stars {
		ids[i] = uuid.NewString()
		all.Go(func() { errs[i] = post(ctx, at[i%len(at)], star, ids[i]) })
	}
	all.Wait()
	return ids, errors.Join(errs...)
}

// places returns the number of feeds that contain a post.
func places(ctx context.Context, c *cluster.Cluster, id string) (n int, err error) {
	feeds := c.Store().Feeds
	for q := (page.Query{First: page.Max}); ; {
		p, err := feeds.OfPost(ctx, social.PostID(id), q)
		if err != nil {
			return n, err
		}
		n += len(p.Items)
		if q.After = p.Next; q.After == "" {
			return n, nil
		}
	}
}
