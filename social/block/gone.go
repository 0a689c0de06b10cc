package block

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the blocks of a removed profile, in both directions, a page at a
// time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	const own, against = "own", "against"
	direction, after, next := page.Lists([]string{own, against}, cursor)
	list := s.Store.ByUser
	if direction == against {
		list = s.Store.ByBlocked
	}
	blocks, err := list(ctx, e.UserID, page.Query{First: page.Max, After: after})
	more, rows, err := social.EachLeft(ctx, e, s.Profiles, blocks, err, func(b social.Block) time.Time { return b.BlockedAt }, func(b social.Block) error {
		// On a Conflict, the block belongs to the present profile.
		return refusal.IgnoreConflict(s.Store.RemoveLeftover(ctx, b))
	})
	return next(more), rows, err
}
