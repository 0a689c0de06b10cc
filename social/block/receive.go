package block

import (
	"context"
	"strings"

	"stoa/internal/outbox"
	"stoa/social"
)

// UserBlocked removes each user's likes of the other's posts, a page at a time.
func (s *Service) UserBlocked(ctx context.Context, e social.UserBlocked, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	const first, second = "blocked", "blocker"
	side, after, _ := strings.Cut(cursor, " ")
	liker, owner := e.BlockedUserID, e.BlockerUserID
	if side == second {
		liker, owner = owner, liker
	}
	next, rows, err = s.Likes.RemoveBetween(ctx, liker, owner, after)
	switch {
	case err != nil:
		return "", rows, err
	case next != "" && side == second:
		return second + " " + next, rows, nil
	case next != "":
		return first + " " + next, rows, nil
	case side == second:
		return "", rows, nil
	default:
		return second + " ", rows, nil
	}
}
