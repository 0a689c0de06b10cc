package outbox

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"sync"
	"time"
)

// Background work that runs at a time. Of slow events, few do.
const (
	workers     = 16
	slowWorkers = 2
)

// job is background work: an attempt to deliver an event, or a fan-out, which is done in
// steps.
type job struct {
	// id is that of the event or lane.
	id string
	// track identifies jobs that are done one after the other.
	track string
	slow  bool
	// held is set until the mutation that caused the job has been answered.
	held bool
	// do makes a step. It returns false after the last.
	do func(ctx context.Context) (more bool)

	// steps counts the steps done, order the jobs added before, and due is when a postponed
	// job may be added again.
	steps int
	order int
	due   time.Time
}

// jobs is a heap. Jobs of fewer steps come first, so that a small fan-out does not wait for a
// large one.
type jobs struct {
	all    []*job
	before func(a, b *job) int
}

func (j *jobs) Len() int           { return len(j.all) }
func (j *jobs) Less(a, b int) bool { return j.before(j.all[a], j.all[b]) < 0 }
func (j *jobs) Swap(a, b int)      { j.all[a], j.all[b] = j.all[b], j.all[a] }
func (j *jobs) Push(x any)         { j.all = append(j.all, x.(*job)) }
func (j *jobs) Pop() any {
	last := j.all[len(j.all)-1]
	j.all[len(j.all)-1] = nil
	j.all = j.all[:len(j.all)-1]
	return last
}

func smallFirst(a, b *job) int {
	return cmp.Or(cmp.Compare(a.steps, b.steps), cmp.Compare(a.order, b.order))
}

// turns decides which job has the next step. None of its methods takes longer if more jobs
// wait, but for the depth of a heap.
type turns struct {
	mu    sync.Mutex
	added int
	// tracks has the jobs of each track in order. The first is ready, held or being done.
	tracks       map[string][]*job
	ready, tardy jobs
	slowRunning  int
	// late are the postponed jobs, the next one first.
	late jobs
	// idle wakes up workers.
	idle chan struct{}
}

func newTurns() *turns {
	return &turns{
		tracks: map[string][]*job{},
		ready:  jobs{before: smallFirst},
		tardy:  jobs{before: smallFirst},
		late:   jobs{before: func(a, b *job) int { return a.due.Compare(b.due) }},
		idle:   make(chan struct{}, workers),
	}
}

// add puts a job behind those of its track.
func (t *turns) add(j *job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(j)
}

func (t *turns) put(j *job) {
	j.order = t.added
	t.added++
	t.tracks[j.track] = append(t.tracks[j.track], j)
	t.prepare(j)
}

// prepare makes a job ready if it is the first of its track.
func (t *turns) prepare(j *job) {
	if all := t.tracks[j.track]; j.held || len(all) == 0 || all[0] != j {
		return // behind another, or dropped
	}
	if j.slow {
		heap.Push(&t.tardy, j)
	} else {
		heap.Push(&t.ready, j)
	}
	select {
	case t.idle <- struct{}{}:
	default:
	}
}

// release ends the hold of a job that has been added.
func (t *turns) release(j *job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if j.held {
		j.held = false
		t.prepare(j)
	}
}

// busy reports whether jobs of a track wait or are being done.
func (t *turns) busy(track string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.tracks[track]) > 0
}

// next returns the job that has the next step, or nil if there is none now.
func (t *turns) next() *job {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := &t.ready
	if t.tardy.Len() > 0 && t.slowRunning < slowWorkers && (t.ready.Len() == 0 || smallFirst(t.tardy.all[0], t.ready.all[0]) < 0) {
		from = &t.tardy
	}
	if from.Len() == 0 {
		return nil
	}
	j := heap.Pop(from).(*job)
	if j.slow {
		t.slowRunning++
	}
	return j
}

// done ends a step of a job. Without more, the next job of its track is ready.
func (t *turns) done(j *job, more bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if j.slow {
		t.slowRunning--
	}
	if more {
		j.steps++
		t.prepare(j)
		return
	}
	rest := t.tracks[j.track][1:]
	if len(rest) == 0 {
		delete(t.tracks, j.track)
		return
	}
	t.tracks[j.track] = rest
	t.prepare(rest[0])
}

// postpone adds a job when it is due. Until then, the others of its track do not wait for it.
func (t *turns) postpone(j *job, due time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	j.due = due
	heap.Push(&t.late, j)
}

// resume adds the postponed jobs that are due.
func (t *turns) resume(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.late.Len() > 0 && !t.late.all[0].due.After(now) {
		t.put(heap.Pop(&t.late).(*job))
	}
}

// resumeAll adds the postponed jobs that are wanted, due or not.
func (t *turns) resumeAll(wanted func(id string) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.late.all
	t.late.all = nil
	slices.SortFunc(all, t.late.before)
	for _, j := range all {
		if wanted(j.id) {
			t.put(j)
		} else {
			heap.Push(&t.late, j)
		}
	}
}

// clear drops all jobs but those being done, whose result no longer matters.
func (t *turns) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := map[string][]*job{}
	waiting := map[*job]bool{}
	for _, h := range []*jobs{&t.ready, &t.tardy, &t.late} {
		for _, j := range h.all {
			waiting[j] = true
		}
		h.all = nil
	}
	for track, all := range t.tracks {
		if !waiting[all[0]] && !all[0].held {
			kept[track] = all[:1]
		}
	}
	t.tracks = kept
}

// step does a step of a job.
func (t *turns) step(ctx context.Context, j *job) { t.done(j, j.do(ctx)) }

// work does steps until ctx is done.
func (t *turns) work(ctx context.Context) {
	for ctx.Err() == nil {
		if j := t.next(); j != nil {
			t.step(ctx, j)
			continue
		}
		select {
		case <-ctx.Done():
		case <-t.idle:
		}
	}
}
