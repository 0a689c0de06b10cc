package flag

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "flags", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "flags", s.CommentDeleted)
	outbox.FanOut(r.Outbox, "flags", s.ChatDeleted)
	outbox.FanOut(r.Outbox, "flags", s.ChatMessageDeleted)
	outbox.FanOut(r.Outbox, "flags", s.UserRemoved)
}
