package host_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/host/toy"
	"stoa/internal/job"
	"stoa/internal/kit/refusal"
)

// A job that takes longer than a request may is not cut off: the request returns while it runs.
func TestALongJobOutlivesItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, nil, toy.System())
		h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: "long", Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Minute):
				return errors.New("too long")
			}
		}})
		request, end := context.WithTimeout(t.Context(), 30*time.Second)
		defer end()
		if found, err := h.Desk.RunJob(request, "long"); !found || err != nil {
			t.Fatal(found, err)
		}
		if run, err := h.Jobs.Store.Last(t.Context(), "long"); err != nil || run.StartedAt.IsZero() || !run.EndedAt.IsZero() {
			t.Errorf("meanwhile: %+v, %v", run, err)
		}
		if found, err := h.Desk.RunJob(request, "long"); !found || refusal.KindOf(err) != refusal.Taken {
			t.Errorf("a second run: %t, %v", found, err)
		}
		end()
		time.Sleep(time.Minute)
		if run, err := h.Jobs.Store.Last(t.Context(), "long"); err != nil || run.EndedAt.IsZero() || run.Failure != "too long" {
			t.Errorf("after it: %+v, %v", run, err)
		}
		if found, err := h.Desk.RunJob(t.Context(), "longer"); found || err != nil {
			t.Errorf("no job: %t, %v", found, err)
		}
	})
}
