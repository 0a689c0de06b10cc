package account

import (
	"stoa/internal/area"
)

// Register registers which fields need no token, and what they cost.
func (s *Service) Register(r *area.Registry) {
	r.OpenToAll("Mutation.register", "Mutation.login", "Mutation.refreshSession")
	r.Price("Mutation.register", s.HashPrice)
	r.Price("Mutation.login", s.HashPrice)
}
