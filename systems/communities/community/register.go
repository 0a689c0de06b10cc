package community

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "clean", s.CommunityDeleted)
	outbox.FanOut(r.Outbox, "memberships", s.UserDeleted)
}
