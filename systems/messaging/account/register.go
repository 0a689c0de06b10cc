package account

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Register registers what the area receives, which fields need no token, and what they cost.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.Locked)
	outbox.FanOut(r.Outbox, "traces", s.EraseTraces, messaging.AccountEnded.WasErased)

	r.OpenToAll("Mutation.createAccount", "Mutation.login")
	r.Price("Mutation.createAccount", s.HashPrice)
	r.Price("Mutation.login", s.HashPrice)
}
