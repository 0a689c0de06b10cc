package notify

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "push", s.Published, messaging.Published.IsPushed)
}
