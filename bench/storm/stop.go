package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"stoa/bench/cluster"
)

// Changes that another process makes while the owner of fan-outs is stopped.
const (
	deleted    = 4
	unfollowed = 20
)

// stopped stops a process in the midst of its fan-outs, changes in another what they are about,
// and wakes it up when everything has been delivered without it.
func stopped(ctx context.Context, c *cluster.Cluster) (err error) {
	n, err := fill(ctx, c, 16, followers, 0, true)
	if err != nil {
		return err
	}
	if err := c.Serve(); err != nil {
		return err
	}
	processes, err := startAll(ctx, c, 2)
	defer func() { err = errors.Join(err, cluster.EndAll(processes)) }()
	if err != nil {
		return err
	}
	owner, heir := processes[0], processes[1]
	c.Endpoint.SetLatency(*latency)
	fmt.Printf("stop, store %s away: a process stops for %s in the midst of %d fan-outs to %d followers\n", *latency, *sleep, len(n.stars), followers)
	r := &report{}
	before, err := c.Members(ctx)
	if err != nil {
		return err
	}
	ids, err := postAll(ctx, n.stars, owner)
	if err != nil {
		return err
	}
	if err := owner.Pause(); err != nil {
		return err
	}
	began := time.Now()
	written := 0
	for _, id := range ids {
		there, err := places(ctx, c, id)
		if err != nil {
			return err
		}
		written += there
	}
	all := len(n.stars) * (followers + 1)
	r.printf("%d of %d entries are written when it stops", written, all)
	if written == all {
		r.fail("there is nothing left to adopt")
	}
	var gone []string
	took, err := cluster.Until(ctx, 3*mostUntilTaken, 50*time.Millisecond, func() (bool, error) {
		now, err := c.Members(ctx)
		gone = gone[:0]
		for id := range before {
			if _, there := now[id]; !there {
				gone = append(gone, id)
			}
		}
		return len(gone) > 0, err
	})
	r.within("its shards are another's", took, mostUntilTaken)
	if err != nil || len(gone) > 1 {
		r.fail("the members that are gone: %v, %v", gone, err)
	}

	// What was being delivered is no longer so: the stopped process has read the opposite.
	for i := range deleted {
		if err := deletePost(ctx, heir, n.stars[i], ids[i]); err != nil {
			return err
		}
	}
	const unfollow = `mutation($id: ID!) { unfollowUser(userId: $id) { followedStatus } }`
	for i := range unfollowed {
		request := cluster.Request{As: n.fans[len(n.fans)-1-i], Query: unfollow, Variables: map[string]any{"id": n.stars[deleted].ID}}
		if err := heir.Ask(ctx, request, nil); err != nil {
			return err
		}
	}
	_, err = cluster.Idle(ctx, mostUntilIdle, heir)
	r.within("everything delivered without it", time.Since(began), mostUntilIdle)
	r.failed = errors.Join(r.failed, err)
	r.places(ctx, c, n, ids, "while it sleeps")

	time.Sleep(*sleep - time.Since(began))
	// It wakes up while others go on.
	var meanwhile sync.WaitGroup
	var later string
	var laterErr error
	meanwhile.Go(func() {
		later = uuid.NewString()
		laterErr = post(ctx, heir, n.stars[deleted], later)
	})
	if err := owner.Resume(); err != nil {
		return err
	}
	woken := time.Now()
	meanwhile.Wait()
	if laterErr != nil {
		return laterErr
	}
	_, err = cluster.Until(ctx, mostUntilIdle, 100*time.Millisecond, func() (bool, error) {
		now, err := c.Members(ctx)
		return len(now) == 2, err
	})
	r.failed = errors.Join(r.failed, err)
	_, err = cluster.Idle(ctx, mostUntilIdle, owner, heir)
	r.printf("it has joined again, and both are idle, %s after it woke up", time.Since(woken).Round(10*time.Millisecond))
	r.failed = errors.Join(r.failed, err)
	r.places(ctx, c, n, ids, "after it woke up")
	if there, err := places(ctx, c, later); err != nil || there != followers-unfollowed+1 {
		r.fail("a post of that moment is in %d feeds, want %d, %v", there, followers-unfollowed+1, err)
	}
	r.failed = errors.Join(r.failed, c.Check(ctx))
	if r.failed != nil {
		fmt.Printf("log of the stopped process:\n%s\nlog of the other:\n%s\n", owner.Log(10), heir.Log(10))
	}
	return r.failed
}

// places compares in how many feeds posts are with in how many they should be.
func (r *report) places(ctx context.Context, c *cluster.Cluster, n *network, ids []string, when string) {
	wrong := 0
	for i, id := range ids {
		want := followers + 1
		switch {
		case i < deleted:
			want = 0
		case i == deleted:
			want -= unfollowed
		}
		got, err := places(ctx, c, id)
		if err != nil || got != want {
			wrong++
			r.fail("%s, post %d is in %d feeds, want %d, %v", when, i, got, want, err)
		}
	}
	r.printf("%s, %d of %d posts are in exactly the feeds they should be in", when, len(ids)-wrong, len(ids))
}
