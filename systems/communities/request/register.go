package request

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "requests", s.CommunityLeft)
	outbox.FanOut(r.Outbox, "requests", s.ChatDeleted)
	outbox.On(r.Outbox, s.RequestChanged)
	outbox.FanOut(r.Outbox, "requests", s.UserDeleted)
}
