package view

import (
	"cmp"

	"stoa/internal/area"
	"stoa/internal/kit/gather"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	s.hot = gather.New(gather.Limits{From: cmp.Or(s.HotFrom, social.HotFrom), Pause: pause, Most: social.MaxGathered, Beside: true}, s.gather)

	outbox.On(r.Outbox, s.PostViewsGathered)
	outbox.FanOut(r.Outbox, "views", s.UserRemoved)
	outbox.FanOut(r.Outbox, "views", s.PostStatusChanged)
}
