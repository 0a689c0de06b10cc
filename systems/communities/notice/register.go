package notice

import (
	"context"
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// TidyJob is the job that deletes the progress of old fan-outs of notifications.
const TidyJob = "communities.tidy"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "notify", s.ChatHappened)
	outbox.FanOut(r.Outbox, "near", s.CommunityFounded)
	outbox.FanOut(r.Outbox, "notices", s.UserDeleted)

	r.Job(job.Job{Name: TidyJob, Every: 24 * time.Hour, Run: func(ctx context.Context, _ time.Time) error { return s.Tidy(ctx) }})
}
