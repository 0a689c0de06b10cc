package feed

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "feed", s.PostStatusChanged)
	outbox.FanOut(r.Outbox, "feed", s.FollowStatusChanged)
	outbox.FanOut(r.Outbox, "feed", s.DeliveryChanged)
}
