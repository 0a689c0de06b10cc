package message

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.ChatHappened)
	outbox.On(r.Outbox, s.CaseEnded, deletes)
	outbox.FanOut(r.Outbox, "count", s.Count)
	outbox.FanOut(r.Outbox, "reactions", s.UserDeleted)
	outbox.FanOut(r.Outbox, "messages", s.EraseMessages, communities.UserDeleted.WasErased)
}
