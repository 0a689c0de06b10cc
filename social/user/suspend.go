package user

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/social"
)

// Suspend disables a user whom those who run the service have suspended, and bans their
// contacts if ban is set.
func (s *Service) Suspend(ctx context.Context, id social.UserID, ban bool) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.Store.Profile(ctx, id)
		if from == nil || err != nil {
			return err
		}
		now := s.Now()
		var banned *social.Ban
		if ban {
			banned = from.BanFor(social.BannedByTeam, now)
		}
		to := from.Disabled(now)
		if to != from {
			return s.disable(ctx, a, from, to, banned)
		}
		if banned != nil {
			return s.Store.Ban(ctx, banned)
		}
		return s.Store.Unban(ctx, id, social.BannedByTeam) // an earlier suspension may have banned them
	})
}

// Reinstate ends that a user is suspended since before the given time: they have their former
// status again, and are no longer banned. If fully is set, the user is also enabled if they
// had been disabled otherwise.
func (s *Service) Reinstate(ctx context.Context, id social.UserID, at time.Time, former social.UserStatus, fully bool) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.Store.Profile(ctx, id)
		if from == nil || err != nil || from.LastDisabledAt.After(at) {
			return err // or disabled since
		}
		to := from
		if fully || former != social.UserDisabled {
			to = from.Enabled(former)
		}
		switch {
		case to == from && fully:
			return s.Store.Unban(ctx, id, "")
		case to == from:
			return s.Store.Unban(ctx, id, social.BannedByTeam) // a ban from before goes with what disabled them
		}
		return s.Store.Enable(ctx, from, to, a.Emit(statusChanged(from, to)...)...)
	})
}
