package search

import (
	"stoa/internal/area"
)

// Register registers what a search costs.
func (s *Service) Register(r *area.Registry) {
	r.Price("Query.searchRecords", 1_000) // It reads thousands of rows.
}
