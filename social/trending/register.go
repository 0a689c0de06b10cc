package trending

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// DeflateJob is the job that halves trends and deletes negligible ones.
const DeflateJob = "social.deflate-trends"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "trends", s.UserRemoved)

	r.Job(job.Job{Name: DeflateJob, At: 7 * time.Minute, Run: s.Deflate})
}
