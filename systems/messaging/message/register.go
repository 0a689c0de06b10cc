package message

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Register registers what the area receives, and what its fields cost.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.Happened, deletes)
	outbox.FanOut(r.Outbox, "messages", s.EraseMessages, messaging.AccountEnded.WasErased)
	// The objects of these lists take several lookups each.
	r.Price("Query.messages", 8)
	r.Price("Topic.messages", 10)

	r.Price("Mutation.publish", 40)
}
