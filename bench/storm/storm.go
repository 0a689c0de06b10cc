package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"stoa/bench/cluster"
)

// The load of a storm.
const (
	fans     = 3000
	rate     = 175 // follows a second
	sampled  = 60
	pairs    = 10
	postsOf  = 5 // posts that the star has before
	pairRest = 500 * time.Millisecond
)

// storm lets fans follow a star, who posts and deletes the post.
func storm(ctx context.Context, c *cluster.Cluster, remote bool) (err error) {
	n, err := fill(ctx, c, 1, fans, 2*pairs, false)
	if err != nil {
		return err
	}
	where := "embedded store"
	if remote {
		where = fmt.Sprintf("store %s away", *latency)
		if err := c.Serve(); err != nil {
			return err
		}
		c.Endpoint.SetLatency(*latency)
	} else if err := c.Embed(); err != nil {
		return err
	}
	p, err := c.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.End()) }()
	star := n.stars[0]
	for range postsOf {
		if err := post(ctx, p, star, uuid.NewString()); err != nil {
			return err
		}
	}
	fmt.Printf("storm, %s: %d follows of one user at %d/s\n", where, fans, rate)
	r := &report{}
	others := startPairs(ctx, p, n.friends)

	began := time.Now()
	took, errs := followAll(ctx, p, n.fans, star)
	slices.Sort(took)
	r.printf("%d follows in %s, p50 %s, p99 %s; %d failed", len(took), time.Since(began).Round(time.Second/10),
		took[len(took)/2].Round(time.Millisecond), took[len(took)*99/100].Round(time.Millisecond), len(errs))
	if len(errs) > 0 {
		r.fail("%d follows failed, such as: %w", len(errs), errs[0])
	}

	sample := sampleOf(n.fans)
	id := uuid.NewString()
	began = time.Now()
	if err := post(ctx, p, star, id); err != nil {
		return errors.Join(r.failed, err)
	}
	r.printf("the next post is answered after %s", time.Since(began).Round(time.Millisecond))
	r.spread(ctx, p, sample, id, true, began)
	began = time.Now()
	if err := deletePost(ctx, p, star, id); err != nil {
		return errors.Join(r.failed, err)
	}
	r.spread(ctx, p, sample, id, false, began)

	left, err := cluster.Idle(ctx, mostUntilIdle, p)
	r.within("backlog 0", left, mostUntilIdle)
	r.failed = errors.Join(r.failed, err)
	friends := others()
	r.printf("%d posts of friends, read after p50 %s, p99 %s", len(friends.took), friends.at(0.5), friends.at(0.99))
	r.within("the slowest of them", friends.at(1), mostForFriends)
	r.failed = errors.Join(r.failed, friends.err)
	if r.failed != nil {
		log.Printf("log of the process:\n%s", p.Log(10))
	}
	if !remote {
		r.failed = errors.Join(r.failed, p.End())
	}
	r.failed = errors.Join(r.failed, c.Check(ctx))
	return r.failed
}

// sampleOf returns some of all, evenly spread.
func sampleOf(all []cluster.Person) (sample []cluster.Person) {
	for i := range sampled {
		sample = append(sample, all[i*(len(all)-1)/(sampled-1)])
	}
	return sample
}

// followAll makes fans follow a star at the rate, whether earlier follows have been answered or not.
func followAll(ctx context.Context, p *cluster.Process, all []cluster.Person, star cluster.Person) (took []time.Duration, errs []error) {
	const follow = `mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`
	var mu sync.Mutex
	var following sync.WaitGroup
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	for _, fan := range all {
		<-tick.C
		following.Go(func() {
			began := time.Now()
			err := p.Ask(ctx, cluster.Request{As: fan, Query: follow, Variables: map[string]any{"id": star.ID}}, nil)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(began))
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	following.Wait()
	return took, errs
}

// spread waits until a post is in all sampled feeds, or in none.
func (r *report) spread(ctx context.Context, p *cluster.Process, sample []cluster.Person, id string, in bool, began time.Time) {
	what, most := fmt.Sprintf("in all of %d sampled feeds", len(sample)), mostUntilSeen
	if !in {
		what, most = "deleted, and in none of them", mostUntilGone
	}
	var reading sync.WaitGroup
	late := make([]error, len(sample))
	work := make(chan int, len(sample))
	for i := range sample {
		work <- i
	}
	close(work)
	for range 6 {
		reading.Go(func() {
			for i := range work {
				_, late[i] = cluster.Until(ctx, 3*most-time.Since(began), 100*time.Millisecond, func() (bool, error) {
					there, err := sees(ctx, p, sample[i], id)
					return there == in, err
				})
			}
		})
	}
	reading.Wait()
	r.within(what, time.Since(began), most)
	n := 0
	for _, err := range late {
		if err != nil {
			n++
		}
	}
	if n > 0 {
		r.fail("%s: %d feeds are not as they should be: %w", what, n, errors.Join(late...))
	}
}

// friendship is how soon friends have read each other's posts.
type friendship struct {
	took []time.Duration
	err  error
}

// at returns a quantile.
func (f friendship) at(q float64) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	slices.Sort(f.took)
	return f.took[int(q*float64(len(f.took)-1))].Round(time.Millisecond)
}

// startPairs lets pairs of friends post in turn and read each other's posts, until stop is called.
func startPairs(ctx context.Context, p *cluster.Process, friends []cluster.Person) (stop func() friendship) {
	ctx, cancel := context.WithCancel(ctx)
	var f friendship
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := 0; i < len(friends); i += 2 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				took, err := exchange(context.WithoutCancel(ctx), p, friends[i+n%2], friends[i+1-n%2])
				mu.Lock()
				f.took, f.err = append(f.took, took), errors.Join(f.err, err)
				mu.Unlock()
				select {
				case <-ctx.Done():
				case <-time.After(pairRest):
				}
			}
		})
	}
	return func() friendship {
		cancel()
		all.Wait()
		return f
	}
}

// exchange posts, and returns how long it takes until a friend has read the post.
func exchange(ctx context.Context, p *cluster.Process, from, to cluster.Person) (time.Duration, error) {
	id := uuid.NewString()
	began := time.Now()
	if err := post(ctx, p, from, id); err != nil {
		return 0, fmt.Errorf("a friend cannot post: %w", err)
	}
	_, err := cluster.Until(ctx, 30*time.Second, 20*time.Millisecond, func() (bool, error) { return sees(ctx, p, to, id) })
	return time.Since(began), err
}
