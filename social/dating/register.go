package dating

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// Jobs of the area.
const (
	// EndIdleJob disables the dating of inactive users.
	EndIdleJob = "social.end-idle-dating"
	// RemindJob reminds users of potential matches.
	RemindJob = "social.remind-of-matches"
)

// Register registers what the area receives and its jobs.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "dating", s.UserChanged)
	outbox.FanOut(r.Outbox, "dating", s.UserRemoved)
	outbox.FanOut(r.Outbox, "approvals", s.MatchApproved)
	outbox.On(r.Outbox, s.MatchConfirmed)
	outbox.On(r.Outbox, s.UserBlocked)
	outbox.On(r.Outbox, s.UserUnblocked)

	r.Job(job.Job{Name: EndIdleJob, Every: 24 * time.Hour, Run: s.EndIdle})
	r.Job(job.Job{Name: RemindJob, Every: 24 * time.Hour, Run: s.Remind})
}
