package user

import (
	"context"
	"maps"

	"stoa/internal/decision"
	"stoa/internal/outbox"
	"stoa/social"
)

// Disable disables the caller on their request. In the API, only a reset undoes it.
func (s *Service) Disable(ctx context.Context, v social.Viewer) (*social.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		from, err := s.profile(ctx, v.UserID)
		if err != nil {
			return nil, err
		}
		client := v.Client.Map()
		if from.Stands() == social.UserDisabled && maps.Equal(client, from.LastClient) {
			return own(v, from), nil
		}
		with := *from
		with.LastClient = client
		to := with.Disabled(s.Now())
		return own(v, to), s.disable(ctx, a, from, to, nil)
	})
}

// ContentForciblyRemoved disables and bans a user if moderation has removed too much of
// their content.
func (s *Service) ContentForciblyRemoved(ctx context.Context, e social.ContentForciblyRemoved, _ outbox.Tell) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.Store.Profile(ctx, e.UserID)
		if from == nil || err != nil || !from.ForcedOut(e.Kind) {
			return err
		}
		now := s.Now()
		to := from.Disabled(now)
		if to == from {
			return nil
		}
		return s.disable(ctx, a, from, to, from.BanFor(social.BanReason(e.Kind), now))
	})
}

// UserBlocked disables and bans a user whom a moderator blocks. They were active when they were
// blocked: if they have disabled or reset themselves since, the ban is what remains to be done.
func (s *Service) UserBlocked(ctx context.Context, e social.UserBlocked, _ outbox.Tell) error {
	if !e.ByModerator {
		return nil
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.Store.Profile(ctx, e.BlockedUserID)
		if from == nil || err != nil {
			return err
		}
		now := s.Now()
		ban, to := from.BanFor(social.BannedByReal, now), from.Disabled(now)
		if to == from || !e.At.IsZero() && from.Former(e.At) {
			return s.Store.Ban(ctx, ban)
		}
		return s.disable(ctx, a, from, to, ban)
	})
}

func (s *Service) disable(ctx context.Context, a *decision.Attempt, from, to *social.User, ban *social.Ban) error {
	return s.Store.Disable(ctx, from, to, ban, a.Emit(statusChanged(from, to)...)...)
}

// statusChanged returns the event of a change of status, if there is one.
func statusChanged(from, to *social.User) []outbox.Event {
	if from.Stands() == to.Stands() {
		return nil
	}
	return []outbox.Event{social.UserStatusChanged{UserID: from.UserID, From: from.Stands(), To: to.Stands()}}
}
