package flag

import (
	"stoa/internal/area"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "flags", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "flags", s.CommentDeleted)
	outbox.FanOut(r.Outbox, "flags", s.ChatDeleted)
	outbox.FanOut(r.Outbox, "flags", s.ChatMessageDeleted)
	outbox.FanOut(r.Outbox, "flags", s.UserRemoved)
	if s.Weighs {
		outbox.FanOut(r.Outbox, "weights", s.CaseMoved, func(e desk.CaseMoved) bool { return e.Item.System == social.SystemName && e.Verdict != "" })
	}
}
