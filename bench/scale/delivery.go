package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// The delivery of a process, as internal/outbox does it: so many steps at a time, fan-outs with the
// fewest steps first. A step writes a page of entries in five calls that follow one another.
const (
	workers  = 16
	step     = 100 // entries
	trips    = 5
	latency  = 12 * time.Millisecond
	capacity = workers * step / (trips * 0.012) // entries a second
)

// spread is the result of a simulated hour.
type spread struct {
	// half, most and slowest are times from a post until it is in all feeds: of half of the posts,
	// of 99 of 100, and of the slowest.
	half, most, slowest time.Duration
	// small is the time of 99 of 100 posts to at most a thousand followers.
	small time.Duration
	// backlog is the largest number of entries that waited, and unfinished the number of posts that
	// are not in all feeds after six hours.
	backlog    float64
	unfinished int
}

// job is a fan-out.
type job struct {
	began, ends, entries float64
	steps, order         int
}

type queue []*job

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	if q[a].steps != q[b].steps {
		return q[a].steps < q[b].steps
	}
	return q[a].order < q[b].order
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*job)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// running are the jobs whose step is being done, the one that ends first first.
type running []*job

func (r running) Len() int           { return len(r) }
func (r running) Less(a, b int) bool { return r[a].ends < r[b].ends }
func (r running) Swap(a, b int)      { r[a], r[b] = r[b], r[a] }
func (r *running) Push(x any)        { *r = append(*r, x.(*job)) }
func (r *running) Pop() any          { return (*queue)(r).Pop() }

// hour is how long posts are added, and longest how long they are waited for, in seconds.
const (
	hour    = 3600.0
	longest = 6 * hour
)

// simulate delivers what one process is given in the busiest hour, posts from the authors of a
// graph, which are copied below a limit, or always without one.
func simulate(g graph, perSecond, limit float64) (s spread) {
	random := rand.New(rand.NewPCG(1, uint64(g.most)))
	var waiting queue
	var busy running
	var all, small []float64
	waits, next := 0.0, random.ExpFloat64()/perSecond
	for now, n := 0.0, 0; now < longest; {
		for len(busy) < workers && len(waiting) > 0 {
			j := heap.Pop(&waiting).(*job)
			j.ends = now + trips*latency.Seconds()
			heap.Push(&busy, j)
		}
		if next < hour && (len(busy) == 0 || next < busy[0].ends) {
			now = next
			followers := math.Floor(g.followersOf(random.Float64()))
			if limit > 0 && followers >= limit {
				followers = 0 // read with the feeds of followers
			}
			heap.Push(&waiting, &job{began: now, entries: followers + 1, order: n})
			n++
			waits += followers + 1
			s.backlog = max(s.backlog, waits)
			next += random.ExpFloat64() / perSecond
			continue
		}
		if len(busy) == 0 {
			break
		}
		j := heap.Pop(&busy).(*job)
		now = j.ends
		waits -= min(step, j.entries-float64(j.steps*step))
		if j.steps++; float64(j.steps*step) < j.entries {
			heap.Push(&waiting, j)
			continue
		}
		all = append(all, now-j.began)
		if j.entries <= 1000 {
			small = append(small, now-j.began)
		}
	}
	s.unfinished = len(waiting) + len(busy)
	slices.Sort(all)
	slices.Sort(small)
	at := func(times []float64, q float64) time.Duration {
		if len(times) == 0 {
			return 0
		}
		return time.Duration(times[int(q*float64(len(times)-1))] * float64(time.Second))
	}
	s.half, s.most, s.slowest, s.small = at(all, 0.5), at(all, 0.99), at(all, 1), at(small, 0.99)
	return s
}
