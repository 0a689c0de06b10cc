package album

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// DeleteEmptyJob is the job that deletes albums that have been empty for a day.
const DeleteEmptyJob = "social.delete-empty-albums"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "albums", s.UserRemoved)
	outbox.On(r.Outbox, s.AlbumDeleted)
	outbox.FanOut(r.Outbox, "art", s.AlbumPostsChanged)

	r.Job(job.Job{Name: DeleteEmptyJob, Every: time.Hour, Run: s.DeleteEmpty})
}
