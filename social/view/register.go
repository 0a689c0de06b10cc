package view

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "views", s.UserRemoved)
	outbox.FanOut(r.Outbox, "views", s.PostStatusChanged)
}
