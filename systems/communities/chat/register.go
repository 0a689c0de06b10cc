package chat

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "chats", s.CommunityLeft)
	outbox.FanOut(r.Outbox, "clean", s.ChatDeleted)
	outbox.FanOut(r.Outbox, "privateChats", s.ErasePrivate, communities.UserDeleted.WasErased)
}
