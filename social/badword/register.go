package badword

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
)

// CheckJob is the job that has all texts checked again if the dictionary of bad words has
// changed.
const CheckJob = "social.check-bad-words"

// Register registers the area's job.
func (d *Dictionary) Register(r *area.Registry) {
	r.Job(job.Job{Name: CheckJob, Every: time.Minute, Run: d.Check})
}
