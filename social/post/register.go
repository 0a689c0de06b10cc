package post

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// Jobs of the area.
const (
	// DeleteExpiredJob deletes posts soon after they expire, and DeleteLongExpiredJob those
	// that it missed.
	DeleteExpiredJob     = "social.delete-expired-posts"
	DeleteLongExpiredJob = "social.delete-long-expired-posts"
	// ResumeJob continues uploads whose process ended.
	ResumeJob = "social.resume-uploads"
)

// Register registers what the area receives and its jobs.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "files", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "posts", s.UserRemoved)
	outbox.FanOut(r.Outbox, "albums", s.AlbumDeleted)

	r.Job(job.Job{Name: DeleteExpiredJob, Every: time.Minute, Run: s.DeleteExpired})
	r.Job(job.Job{Name: DeleteLongExpiredJob, Every: 24 * time.Hour, Run: s.DeleteLongExpired})
	r.Job(job.Job{Name: ResumeJob, Every: time.Minute, Run: s.Resume})
}
