package block

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserBlocked removes each user's likes of the other's posts, a page at a time.
func (s *Service) UserBlocked(ctx context.Context, e social.UserBlocked, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	const first, second = "blocked", "blocker"
	side, after, next := page.Lists([]string{first, second}, cursor)
	liker, owner := e.BlockedUserID, e.BlockerUserID
	if side == second {
		liker, owner = owner, liker
	}
	after, rows, err = s.Likes.RemoveBetween(ctx, liker, owner, after, nil)
	return next(after), rows, err
}
