package user

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/social"
)

// UpdateAges updates the ages of users whose birthday is today, or was yesterday, in case
// the job did not run then.
func (s *Service) UpdateAges(ctx context.Context, now time.Time) error {
	var failed []error
	for _, day := range append(social.Birthdays(now), social.Birthdays(now.AddDate(0, 0, -1))...) {
		failed = append(failed, s.updateAgesOf(ctx, day, now))
	}
	return errors.Join(failed...)
}

func (s *Service) updateAgesOf(ctx context.Context, day string, now time.Time) error {
	return page.Each(ctx, page.Of(ctx, s.Store.BornOn, day), func(id social.UserID) error { return s.updateAge(ctx, id, now) })
}

func (s *Service) updateAge(ctx context.Context, id social.UserID, now time.Time) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.Store.Profile(ctx, id)
		if from == nil || err != nil {
			return err
		}
		to, differs := from.Aged(now)
		if !differs {
			return nil
		}
		return s.Store.Change(ctx, from, to, a.Emit(social.UserChanged{UserID: id})...)
	})
}
