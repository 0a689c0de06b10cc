package card

import (
	"context"

	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// Judged tells a user what was decided about their content in this system, or about them in
// all.
func (s *Service) Judged(ctx context.Context, j desk.Judgement, tell outbox.Tell) error {
	if j.Item.System != social.SystemName && j.Item.System != "" {
		return nil
	}
	return s.Put(ctx, s.Catalogue.Moderation(j).Since(j.At), tell)
}
