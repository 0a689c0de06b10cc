// Package job runs periodic jobs, each in one process at a time.
//
// Jobs must be idempotent: if a process dies, another one repeats its run, and a lease that
// expires during a run does not stop it.
package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"stoa/internal/kit/lease"
	"stoa/internal/kit/together"
)

// Job is a periodic task.
type Job struct {
	// Name is unique across systems: "social.delete-expired-posts".
	Name string
	// Every is the interval between runs. It is ignored if At is set.
	Every time.Duration
	// At is the time of day, since midnight UTC, of a daily job; 0 for other jobs. Missed
	// runs are made up for by a single one.
	At  time.Duration
	Run func(ctx context.Context, now time.Time) error
}

const day = 24 * time.Hour

// Schedule describes when the job runs: "1m0s" between runs, or "day at 00:07".
func (j Job) Schedule() string {
	if j.At == 0 {
		return j.Every.String()
	}
	return "day at " + time.Time{}.Add(j.At).Format("15:04")
}

// clocksDiffer is more than the clocks of two processes differ.
const clocksDiffer = time.Minute

// due reports whether the job is due, given its last run. One that has run in the future is:
// the clock was wrong then, and the job would otherwise rest until that time.
func (j Job) due(last, now time.Time) bool {
	if j.At == 0 {
		return !now.Before(last.Add(j.Every)) || last.After(now.Add(max(j.Every, clocksDiffer)))
	}
	if last.After(now.Add(day)) {
		return true
	}
	at := now.UTC().Truncate(day).Add(j.At)
	if at.After(now) {
		at = at.Add(-day)
	}
	return last.Before(at)
}

// Run is one run of a job.
type Run struct {
	StartedAt time.Time `dynamo:"startedAt"`
	// EndedAt is zero during the run, and after a crash.
	EndedAt time.Time `dynamo:"endedAt"`
	// Failure is the error text if the run failed.
	Failure string `dynamo:"failure"`
}

// Store keeps the last run of each job.
type Store interface {
	// Last returns the zero Run if the job has never run.
	Last(ctx context.Context, name string) (Run, error)
	Save(ctx context.Context, name string, r Run) error
}

// Runner runs jobs when they are due. Set its fields before use.
type Runner struct {
	Jobs   []Job
	Store  Store
	Leases *lease.Client
	Now    func() time.Time
	Log    *slog.Logger
	// Poll is the interval between checks for due jobs.
	Poll time.Duration

	// running has the names of the jobs that this process is running. Their leases do not keep
	// it from taking them once more.
	running sync.Map
}

// ErrRunning means that the job is running already, here or in another process.
var ErrRunning = errors.New("this job is already running: wait until it has ended")

// Run runs jobs as they become due, until ctx ends.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, j := range r.Jobs {
		all.Go(func() { r.repeat(ctx, j) })
	}
}

func (r *Runner) repeat(ctx context.Context, j Job) {
	poll := r.Poll
	if j.At == 0 {
		poll = min(poll, j.Every)
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	// known is the last run that this process has seen. The job is not due before it is due
	// after this one, so most looks read nothing.
	var known time.Time
	for ctx.Err() == nil {
		if err := r.runDue(ctx, j, &known); err != nil && ctx.Err() == nil && !errors.Is(err, ErrRunning) {
			r.Log.ErrorContext(ctx, "job failed", "job", j.Name, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C: // perhaps ctx is done as well
		}
	}
}

// runDue runs a job if it is due.
func (r *Runner) runDue(ctx context.Context, j Job, known *time.Time) error {
	if !j.due(*known, r.Now()) {
		return nil
	}
	_, due, err := r.due(ctx, j, known)
	if !due || err != nil {
		return err
	}
	return r.hold(ctx, j, func(held context.Context) error {
		// Another process may have run it before we got the lease.
		last, due, err := r.due(held, j, known)
		if !due || err != nil {
			return err
		}
		return r.run(ctx, held, j, last)
	})
}

func (r *Runner) due(ctx context.Context, j Job, known *time.Time) (last Run, due bool, err error) {
	last, err = r.Store.Last(ctx, j.Name)
	*known = last.StartedAt
	return last, err == nil && j.due(last.StartedAt, r.Now()), err
}

// RunNow runs a job whether or not it is due.
func (r *Runner) RunNow(ctx context.Context, name string) error {
	for _, j := range r.Jobs {
		if j.Name == name {
			return r.hold(ctx, j, func(held context.Context) error {
				last, err := r.Store.Last(held, name)
				if err != nil {
					return err
				}
				return r.run(ctx, held, j, last)
			})
		}
	}
	return fmt.Errorf("there is no job %q", name)
}

// LeaseName returns the name of the job's lease.
func LeaseName(job string) string { return "job/" + job }

// hold calls do while it holds the job's lease.
func (r *Runner) hold(ctx context.Context, j Job, do func(context.Context) error) (err error) {
	if _, running := r.running.LoadOrStore(j.Name, true); running {
		return ErrRunning
	}
	defer r.running.Delete(j.Name)
	held, release, ok, err := r.Leases.Hold(ctx, LeaseName(j.Name))
	if err != nil {
		return err
	}
	if !ok {
		return ErrRunning
	}
	defer func() { err = errors.Join(err, release()) }()
	return do(held)
}

// run runs a job until it ends or its lease is lost. Once ctx is done it leaves the record of
// the last run, so the next process runs the job again at once. A crash leaves that of this
// run: a job that ends its process must not do so each time the process starts.
func (r *Runner) run(ctx, held context.Context, j Job, last Run) error {
	run := Run{StartedAt: r.Now()}
	if err := r.Store.Save(held, j.Name, run); err != nil {
		return err
	}
	failure := together.Safely(func() error { return j.Run(held, run.StartedAt) })
	switch {
	case ctx.Err() != nil:
		saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return errors.Join(ctx.Err(), r.Store.Save(saving, j.Name, last))
	case held.Err() != nil:
		return held.Err()
	}
	run.EndedAt = r.Now()
	if failure != nil {
		run.Failure = failure.Error()
	}
	return errors.Join(failure, r.Store.Save(held, j.Name, run))
}
