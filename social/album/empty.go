package album

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/social"
)

// DeleteEmpty deletes albums that have shown no post for a day.
func (s *Service) DeleteEmpty(ctx context.Context, now time.Time) error {
	var failures []error
	for id, err := range page.All(page.Of(ctx, s.Store.Due, now)) {
		if err != nil {
			return err
		}
		attempts := 0
		err = decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
			attempts++
			return s.deleteEmpty(ctx, a, id, now, attempts > 1)
		})
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// deleteEmpty deletes an album if it is due. Changed is set if that failed with Conflict before,
// perhaps because the owner's profile was removed.
func (s *Service) deleteEmpty(ctx context.Context, d *decision.Attempt, id social.AlbumID, now time.Time, changed bool) error {
	facts, err := s.Store.Facts(ctx, "", []social.AlbumID{id})
	a := facts[id].Album
	if err != nil || a == nil || !a.Due(now) {
		return err
	}
	if changed {
		owner, err := s.Profiles.Profile(ctx, a.OwnedByUserID)
		if err != nil {
			return err
		}
		if owner == nil || facts[id].Outlives(owner) {
			return s.Store.DeleteLeftover(ctx, a, d.Emit(deleted(a))...)
		}
	}
	return s.Store.DeleteEmpty(ctx, a, d.Emit(deleted(a))...)
}
