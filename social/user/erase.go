package user

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/outbox"
	"stoa/social"
)

// bansOfErased is how long hashes of the contacts of banned users are kept who were erased.
const bansOfErased = 365 * 24 * time.Hour

// ForgetBansJob is the job that removes them.
const ForgetBansJob = "social.forget-bans"

// Erase deletes a user's profile like their own deletion does, and what that leaves.
func (s *Service) Erase(ctx context.Context, id social.UserID) error {
	found, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		u, err := s.Store.Profile(ctx, id)
		if u == nil || err != nil {
			return false, err
		}
		_, err = s.removeAs(ctx, social.Viewer{UserID: id}, u, u.Deleted(), identity.Change{}, true)
		return true, err
	})
	if err != nil {
		return err
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		events := a.Emit()
		if !found { // perhaps they had deleted their profile before
			removed, err := s.Store.Removed(ctx, id)
			if err != nil {
				return err
			}
			if removed {
				events = a.Emit(social.UserRemoved{UserID: id, RemovedAt: s.Now(), Erased: true})
			}
		}
		return s.Store.EraseFormer(ctx, id, s.Now().Add(bansOfErased), events...)
	})
}

// EraseTraces removes an erased user from what others have, a page of rows at a time.
func (s *Service) EraseTraces(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.Store.EraseTraces(ctx, e.UserID, e.Username, cursor)
}

func wasErased(e social.UserRemoved) bool { return e.Erased }
