package invite

import (
	"context"
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
)

// PurgeJob is the job that deletes join links some time after they expire.
const PurgeJob = "pantry.purge-join-links"

// Register registers the area's job.
func (s *Service) Register(r *area.Registry) {
	r.Job(job.Job{Name: PurgeJob, Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error {
		_, err := s.Sweep(ctx)
		return err
	}})
}
