package flag

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the flags by a removed profile, a page of one kind at a time. The
// cursor starts with the kind.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	kind, after, next := page.Lists(social.FlagKinds, cursor)
	for more := cursor == ""; more; {
		if more, err = s.Cases.ForgetReports(ctx, e.UserID); err != nil {
			return "", 0, err
		}
	}
	flags, err := s.Store.ByUser(ctx, kind, e.UserID, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	rows, err = social.EachLeft(ctx, e, s.Profiles, flags.Items, func(f social.Flag) time.Time { return f.CreatedAt }, func(f social.Flag) error {
		return s.Store.Remove(ctx, f)
	})
	return next(flags.Next), rows, err
}
