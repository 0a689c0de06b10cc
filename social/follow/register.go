package follow

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
	"stoa/social"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "follows", s.UserRemoved)
	outbox.FanOut(r.Outbox, "likes", s.FollowStatusChanged, social.FollowStatusChanged.Ends)
	outbox.FanOut(r.Outbox, "follows", s.UserMadePublic)
}
