package story

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "stories", s.StoryChanged)
	outbox.FanOut(r.Outbox, "stories", s.FollowStatusChanged, social.FollowStatusChanged.ChangesFollows)
	outbox.On(r.Outbox, s.FirstStoryChanged)
}
