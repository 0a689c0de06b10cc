package story

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "stories", s.StoryMoved)
	outbox.FanOut(r.Outbox, "stories", s.FollowMoved)
	outbox.On(r.Outbox, s.FirstStoryMoved)
}
