package file

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// DeleteUnusedJob is the job that deletes uploads that no post refers to.
const DeleteUnusedJob = "archive.delete-unused-uploads"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.FilesLeft)
	if !s.WorkElsewhere {
		outbox.FanOut(r.Outbox, "images", s.ImagesRequested)
	}

	r.Job(job.Job{Name: DeleteUnusedJob, Every: time.Hour, Run: s.DeleteUnused})
}
