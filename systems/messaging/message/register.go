package message

import (
	"stoa/internal/area"
)

// Register registers what the fields of the area cost.
func (s *Service) Register(r *area.Registry) {
	// The objects of these lists take several lookups each.
	r.Price("Query.messages", 8)
	r.Price("Topic.messages", 10)

	r.Price("Mutation.publish", 40)
}
