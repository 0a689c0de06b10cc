package user

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Report reports a user to the moderators, and returns them.
func (s *Service) Report(ctx context.Context, c social.Caller, id social.UserID, why string, d social.Detail) (*social.SeenUser, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	missing := refusal.NotFoundf("User `%s` does not exist", id)
	if !id.Valid() {
		return nil, missing
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		users, err := s.VisibleTo(ctx, c, []social.UserID{id}, d|social.BlockedTie)
		if err != nil {
			return nil, err
		}
		u := users[id]
		if u == nil {
			return nil, missing
		}
		if err := u.CheckReport(); err != nil {
			return nil, err
		}
		since := u.NotBefore(time.Time{})
		report, err := desk.ReportApart(ctx, s.Cases, social.PersonCase(id), id, since, desk.Report{By: c.UserID, When: c.User.NotBefore(s.Now()), Why: why})
		if errors.Is(err, desk.ErrAgain) {
			err = refusal.Invalidf("User `%s` has already been reported by user `%s`", id, c.UserID)
		}
		if err != nil {
			return nil, err
		}
		return u, s.Store.Report(ctx, id, report, decision.Announce(a, report.Case)...)
	})
}
