package flag

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
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
	if cursor == "" {
		if err := s.Cases.ForgetReporter(ctx, e.UserID); err != nil {
			return "", 0, err
		}
		if err := s.endCases(ctx, e); err != nil {
			return "", 0, err
		}
	}
	flags, err := s.Store.ByUser(ctx, kind, e.UserID, page.Query{First: page.Max, After: after})
	more, rows, err := social.EachLeft(ctx, e, s.Profiles, flags, err, func(f social.Flag) time.Time { return f.CreatedAt }, func(f social.Flag) error {
		return s.Store.Remove(ctx, f)
	})
	return next(more), rows, err
}

// endCases decides the cases about a removed profile, and those of what it wrote that was
// removed: that cannot come back. Cases of what is there end with it.
func (s *Service) endCases(ctx context.Context, e social.UserRemoved) error {
	var all page.Page[*desk.Case]
	for c, err := range page.All(page.Of(ctx, s.Cases.CasesOf, e.UserID)) {
		if err != nil {
			return err
		}
		if c.System == social.SystemName && (c.Kind == desk.Person || c.RemovedBy != "") {
			all.Items = append(all.Items, c)
		}
	}
	if len(all.Items) == 0 {
		return nil
	}
	_, _, err := social.EachLeft(ctx, e, s.Profiles, all, nil, func(c *desk.Case) time.Time { return c.OpenedAt }, func(c *desk.Case) error {
		return refusal.IgnoreConflict(decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			step := c.Ended(s.Now())
			return s.Cases.Decide(ctx, step, decision.Announce(a, step)...)
		}))
	})
	return err
}
