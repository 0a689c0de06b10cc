package post

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.PostChanged)
	outbox.FanOut(r.Outbox, "delete", s.DeletionRequested)
	if !s.WorkElsewhere {
		outbox.On(r.Outbox, s.PublishRequested)
	}
}
