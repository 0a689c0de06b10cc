package user

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// UpdateAgesJob is the job that updates the ages of users.
const UpdateAgesJob = "social.update-ages"

// Register registers what the area receives, its job and its prices.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.ContentForciblyRemoved)
	outbox.On(r.Outbox, s.UserBlocked)
	outbox.On(r.Outbox, s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "photos", s.UserRemoved)
	if s.Issuer != nil {
		outbox.On(r.Outbox, s.AccountDeleted)
	}
	outbox.FanOut(r.Outbox, "traces", s.EraseTraces, wasErased)

	r.Job(job.Job{Name: UpdateAgesJob, Every: 12 * time.Hour, Run: s.UpdateAges})
	r.Job(job.Job{Name: ForgetBansJob, Every: 24 * time.Hour, Run: s.Store.ForgetBans})
	// A search reads the profiles of many candidates.
	r.Price("Query.searchUsers", 50)
}
