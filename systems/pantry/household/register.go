package household

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.UserDeleted)
	outbox.FanOut(r.Outbox, "traces", s.EraseTraces, pantry.UserDeleted.WasErased)
	outbox.FanOut(r.Outbox, "clean", s.CleanGroup)
}
