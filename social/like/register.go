package like

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "likes", s.UserRemoved)
	outbox.FanOut(r.Outbox, "likes", s.PostStatusChanged)
}
