package account

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Register registers which fields need no token, what they cost, and what the area receives.
func (s *Service) Register(r *area.Registry) {
	r.OpenToAll("Mutation.register", "Mutation.login", "Mutation.refreshSession")
	r.Price("Mutation.register", s.HashPrice)
	r.Price("Mutation.login", s.HashPrice)
	outbox.FanOut(r.Outbox, "traces", s.EraseTraces, communities.UserDeleted.WasErased)
}
