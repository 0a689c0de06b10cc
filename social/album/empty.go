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
		err = decision.Do(ctx, s.Frame, func(a *decision.Attempt) error { return s.deleteEmpty(ctx, a, id, now) })
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

func (s *Service) deleteEmpty(ctx context.Context, d *decision.Attempt, id social.AlbumID, now time.Time) error {
	facts, err := s.Store.Facts(ctx, "", []social.AlbumID{id})
	a := facts[id].Album
	if err != nil || a == nil || !a.Due(now) {
		return err
	}
	return s.Store.DeleteEmpty(ctx, a, d.Emit(deleted(a))...)
}
