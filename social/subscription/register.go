package subscription

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// Jobs of the area.
const (
	// ExpireJob ends subscription levels that have expired.
	ExpireJob = "social.expire-subscriptions"
	// VerifyJob verifies subscriptions with the App Store.
	VerifyJob = "social.verify-app-store-subs"
)

// Register registers what the area receives and its jobs.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.AppStoreSubChanged)
	outbox.FanOut(r.Outbox, "appStoreSubs", s.UserRemoved)

	r.Job(job.Job{Name: ExpireJob, Every: 24 * time.Hour, Run: s.Expire})
	r.Job(job.Job{Name: VerifyJob, Every: time.Hour, Run: s.Verify})
}
