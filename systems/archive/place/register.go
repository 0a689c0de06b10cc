package place

import (
	"stoa/internal/area"
)

// Register registers which fields need no token, and what fields cost.
func (s *Service) Register(r *area.Registry) {
	r.OpenToAll("Query.place", "Query.places", "Query.placesById")
	r.Price("Mutation.loadPlaces", 10_000) // It writes thousands of rows.
}
