package topic

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives and what its fields cost.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "topics", s.AccountEnded)
	outbox.FanOut(r.Outbox, "clean", s.TopicEnded)

	// A topic takes several lookups, as do the objects of the lists.
	r.Price("Query.topic", 4)
	r.Price("Query.myTopics", 6)
	r.Price("Topic.subscribers", 8)
}
