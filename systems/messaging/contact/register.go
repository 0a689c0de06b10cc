package contact

import (
	"stoa/internal/area"
)

// Register registers the field that needs no token.
func (s *Service) Register(r *area.Registry) {
	r.OpenToAll("Query.checkTags")
}
