package comment

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "comments", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "comments", s.UserRemoved)
	outbox.On(r.Outbox, s.CommentAdded, social.CommentAdded.Judged)
	outbox.FanOut(r.Outbox, "comments", s.BadWordsReplaced)
}
