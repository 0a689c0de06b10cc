package story

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "stories", s.StoryChanged)
	outbox.FanOut(r.Outbox, "stories", s.FollowStatusChanged)
	outbox.On(r.Outbox, s.FirstStoryChanged)
}
