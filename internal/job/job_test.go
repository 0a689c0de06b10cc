package job_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/job"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/lease/leasetest"
)

// memory stores the runs and leases shared by the processes of a test.
type memory struct {
	mu     sync.Mutex
	runs   map[string]job.Run
	leases leasetest.Store
}

func newMemory() *memory {
	return &memory{runs: map[string]job.Run{}}
}

func (m *memory) Last(_ context.Context, name string) (job.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.runs[name], nil
}

func (m *memory) Save(_ context.Context, name string, r job.Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[name] = r
	return nil
}

func (m *memory) runner(process string, jobs ...job.Job) *job.Runner {
	return &job.Runner{
		Jobs: jobs, Store: m, Now: time.Now, Log: slog.New(slog.DiscardHandler), Poll: time.Second,
		Leases: &lease.Client{Store: &m.leases, Holder: process, For: 20 * time.Second, Now: time.Now},
	}
}

func TestJobsRunInOneProcessAtATimeWhenTheyAreDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		var mu sync.Mutex
		running, runs := 0, 0
		j := job.Job{Name: "tidy", Every: time.Minute, Run: func(context.Context, time.Time) error {
			mu.Lock()
			running++
			runs++
			if running > 1 {
				t.Error("the job runs twice at a time")
			}
			mu.Unlock()
			time.Sleep(30 * time.Second) // longer than a lease
			mu.Lock()
			running--
			mu.Unlock()
			return nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, process := range []string{"a", "b", "c"} {
			all.Go(func() { m.runner(process, j).Run(ctx) })
		}
		time.Sleep(4*time.Minute + 45*time.Second)
		cancel()
		all.Wait()
		if runs != 5 {
			t.Errorf("%d runs within five minutes, want 5", runs)
		}
		if held := m.leases.Held(); len(held) != 0 {
			t.Errorf("the leases %v are not given back", held)
		}
	})
}

// Daily jobs run at their time of day in UTC, however long a run takes and wherever the
// process is, and catch up on at most one missed day.
func TestDailyJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // starts at midnight UTC
		m := newMemory()
		begin := time.Now()
		var at []time.Duration
		j := job.Job{Name: "sink", At: 7 * time.Minute, Run: func(_ context.Context, now time.Time) error {
			at = append(at, now.Sub(begin))
			time.Sleep(10 * time.Second)
			return nil
		}}
		r := m.runner("a", j)
		r.Now = func() time.Time { return time.Now().In(time.FixedZone("", 5*3600)) }
		m.runs[j.Name] = job.Run{StartedAt: begin.Add(-time.Hour)}
		work := func(d time.Duration) {
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { r.Run(ctx) })
			time.Sleep(d)
			cancel()
			all.Wait()
		}
		work(49 * time.Hour)
		time.Sleep(71 * time.Hour) // no process runs for three days; it is midnight
		work(time.Hour)
		want := []time.Duration{7 * time.Minute, 24*time.Hour + 7*time.Minute, 48*time.Hour + 7*time.Minute, 120 * time.Hour, 120*time.Hour + 7*time.Minute}
		for i := range at {
			at[i] = at[i].Truncate(time.Minute)
		}
		if !slices.Equal(at, want) {
			t.Errorf("it ran at %v, want %v", at, want)
		}
	})
	for want, j := range map[string]job.Job{"day at 00:07": {At: 7 * time.Minute}, "day at 13:30": {At: 13*time.Hour + 30*time.Minute}, "1m0s": {Every: time.Minute}} {
		if got := j.Schedule(); got != want {
			t.Errorf("the schedule is %q, want %q", got, want)
		}
	}
}

// A machine that begins with a wrong clock runs jobs in the future; they do not rest until then
// once it is right.
func TestAClockThatWasWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		var mu sync.Mutex
		var ran []string
		var jobs []job.Job
		for _, j := range []job.Job{{Name: "hourly", Every: time.Hour}, {Name: "often", Every: 10 * time.Second}, {Name: "daily", At: 7 * time.Minute}} {
			j.Run = func(context.Context, time.Time) error {
				mu.Lock()
				defer mu.Unlock()
				ran = append(ran, j.Name)
				return nil
			}
			jobs = append(jobs, j)
			m.runs[j.Name] = job.Run{StartedAt: time.Now().AddDate(10, 0, 0)}
		}
		// Another process, whose clock is ahead, has run this one.
		m.runs["often"] = job.Run{StartedAt: time.Now().Add(30 * time.Second)}
		ctx, cancel := context.WithTimeout(t.Context(), 35*time.Second)
		defer cancel()
		m.runner("a", jobs...).Run(ctx)
		if slices.Sort(ran); strings.Join(ran, " ") != "daily hourly" {
			t.Errorf("ran %q", ran)
		}
	})
}

// A job that is asked for while it runs is not begun once more, and goes on.
func TestAJobRunsOnceAtATimeInAProcess(t *testing.T) {
	m := newMemory()
	began, end := make(chan struct{}), make(chan struct{})
	r := m.runner("a", job.Job{Name: "long", Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error {
		began <- struct{}{}
		<-end
		return ctx.Err()
	}})
	first := make(chan error)
	go func() { first <- r.RunNow(t.Context(), "long") }()
	<-began
	second := make(chan error)
	go func() { second <- r.RunNow(t.Context(), "long") }()
	select {
	case <-began:
		t.Error("it runs twice at a time")
	case err := <-second:
		if !errors.Is(err, job.ErrRunning) {
			t.Errorf("the second run ends with %v", err)
		}
	}
	close(end)
	if err := <-first; err != nil {
		t.Errorf("the first run ends with %v", err)
	}
}

func TestRunNow(t *testing.T) {
	m := newMemory()
	broken := errors.New("broken")
	jobs := []job.Job{
		{Name: "works", Every: time.Hour, Run: func(context.Context, time.Time) error { return nil }},
		{Name: "fails", Every: time.Hour, Run: func(context.Context, time.Time) error { return broken }},
		{Name: "panics", Every: time.Hour, Run: func(context.Context, time.Time) error { panic("oh") }},
	}
	r := m.runner("a", jobs...)
	for range 2 { // whether or not it is due
		if err := r.RunNow(t.Context(), "works"); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.RunNow(t.Context(), "fails"); !errors.Is(err, broken) {
		t.Errorf("fails = %v", err)
	}
	if err := r.RunNow(t.Context(), "panics"); err == nil || !strings.Contains(err.Error(), "panic: oh") {
		t.Errorf("panics = %v", err)
	}
	if err := r.RunNow(t.Context(), "unknown"); err == nil {
		t.Error("an unknown job ran")
	}
	for name, wanted := range map[string]string{"works": "", "fails": "broken", "panics": "panic: oh"} {
		run := m.runs[name]
		if run.StartedAt.IsZero() || run.EndedAt.IsZero() || !strings.HasPrefix(run.Failure, wanted) || (run.Failure == "") != (wanted == "") {
			t.Errorf("%s is recorded as %+v", name, run)
		}
	}
	before := maps.Clone(m.runs)
	held := m.runner("b", jobs...)
	if l, err := held.Leases.Acquire(t.Context(), job.LeaseName("works")); l == nil || err != nil {
		t.Fatal(err)
	}
	if err := r.RunNow(t.Context(), "works"); !errors.Is(err, job.ErrRunning) {
		t.Errorf("a job that runs elsewhere: %v", err)
	}
	if m.runs["works"] != before["works"] {
		t.Error("it was recorded all the same")
	}
}

// A run is repeated if its process died.
func TestAnInterruptedRunIsNoEnd(t *testing.T) {
	m := newMemory()
	ctx, cancel := context.WithCancel(t.Context())
	r := m.runner("a", job.Job{Name: "long", Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error {
		cancel()
		return ctx.Err()
	}})
	if err := r.RunNow(ctx, "long"); !errors.Is(err, context.Canceled) {
		t.Errorf("RunNow = %v", err)
	}
	if run := m.runs["long"]; !run.EndedAt.IsZero() {
		t.Errorf("recorded as %+v", run)
	}
}

func TestAnInterruptedRunIsRepeatedByTheNextProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		runs := 0
		backup := job.Job{Name: "backup", Every: 24 * time.Hour, Run: func(ctx context.Context, _ time.Time) error {
			runs++
			select {
			case <-ctx.Done():
			case <-time.After(time.Minute):
			}
			return ctx.Err()
		}}
		work := func(d time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			m.runner("a", backup).Run(ctx)
		}
		work(10 * time.Second)
		work(2 * time.Minute)
		if run := m.runs["backup"]; runs != 2 || run.EndedAt.IsZero() {
			t.Errorf("%d runs, the last recorded as %+v", runs, run)
		}
		// One that an operator started and that is cut off leaves the record of the last.
		before := m.runs["backup"]
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := m.runner("a", backup).RunNow(ctx, "backup"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("RunNow = %v", err)
		}
		if m.runs["backup"] != before {
			t.Errorf("recorded as %+v", m.runs["backup"])
		}
	})
}
