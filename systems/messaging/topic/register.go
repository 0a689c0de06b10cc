package topic

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Register registers what the area receives and what its fields cost.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "topics", s.AccountEnded)
	outbox.FanOut(r.Outbox, "clean", s.TopicEnded)
	outbox.FanOut(r.Outbox, "pairs", s.ErasePairs, messaging.AccountEnded.WasErased)

	// A topic costs several reads, and so does each object of a list.
	r.Price("Query.topic", 4)
	r.Price("Query.myTopics", 6)
	r.Price("Topic.subscribers", 8)
}
