package comment

import (
	"cmp"

	"stoa/internal/area"
	"stoa/internal/kit/gather"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	s.hot = gather.New(gather.Limits{From: cmp.Or(s.HotFrom, social.HotFrom), Pause: pause, Most: most}, s.addAll)

	outbox.FanOut(r.Outbox, "comments", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "comments", s.UserRemoved)
	outbox.On(r.Outbox, s.CommentAdded, social.CommentAdded.Judged)
	outbox.On(r.Outbox, s.CommentRefused)
	outbox.FanOut(r.Outbox, "comments", s.BadWordsReplaced)
}
