package presence

import (
	"context"
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// ExpireJob is the job that detects users whose sessions have expired.
const ExpireJob = "messaging.expire-sessions"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	outbox.Announce(r.Outbox, s.Happened)
	outbox.On(r.Outbox, s.HappenedForSharers, messaging.Happened.ForSharers)
	outbox.Announce(r.Outbox, s.Published)
	outbox.On(r.Outbox, s.PublishedInGroup, messaging.Published.InGroup)
	outbox.FanOut(r.Outbox, "peers", s.PresenceChanged)

	r.Job(job.Job{Name: ExpireJob, Every: 30 * time.Second, Run: func(ctx context.Context, _ time.Time) error { return s.Expire(ctx) }})
}
