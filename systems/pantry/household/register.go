package household

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.UserDeleted)
	outbox.FanOut(r.Outbox, "clean", s.CleanGroup)
}
