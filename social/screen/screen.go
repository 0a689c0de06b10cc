// Package screen records which screens of the app users have viewed. The API does not
// expose these views.
package screen

import (
	"context"
	"maps"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores views of screens.
type Store interface {
	// Views returns a user's views of screens, by screen.
	Views(ctx context.Context, id social.UserID, screens []string) (map[string]social.ScreenView, error)
	// Put replaces the views in before, by screen, with views. It fails with Conflict if
	// those have changed or the user is gone.
	Put(ctx context.Context, before map[string]social.ScreenView, views []social.ScreenView) error
	// OfUser returns all views of a user, in the order of their first views.
	OfUser(ctx context.Context, id social.UserID, q page.Query) (page.Page[social.ScreenView], error)
	// Remove deletes a view unless it has been replaced.
	Remove(ctx context.Context, v social.ScreenView) error
}

// Service implements the screen area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Profiles social.ProfileReader
}

// atOnce is the maximum number of screens recorded in one transaction.
const atOnce = 50

// Report records that the caller has viewed screens, once for each occurrence.
func (s *Service) Report(ctx context.Context, c social.Caller, screens []string) error {
	if err := social.CheckScreenReport(screens); err != nil {
		return err
	}
	times := social.ScreensViewed(screens)
	for names := range slices.Chunk(slices.Sorted(maps.Keys(times)), atOnce) {
		if err := s.report(ctx, c.User, names, times); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) report(ctx context.Context, u *social.User, names []string, times map[string]int) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		before, err := s.Store.Views(ctx, u.UserID, names)
		if err != nil {
			return err
		}
		at := u.NotBefore(s.Now())
		after := make([]social.ScreenView, len(names))
		for i, name := range names {
			var was *social.ScreenView
			if v, ok := before[name]; ok {
				was = &v
			}
			after[i] = u.Viewed(name, was, times[name], at)
		}
		return s.Store.Put(ctx, before, after)
	})
}

// UserRemoved deletes the views of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	views, err := s.Store.OfUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	return social.EachLeft(ctx, e, s.Profiles, views, err, func(v social.ScreenView) time.Time { return v.FirstViewedAt }, func(v social.ScreenView) error {
		return s.Store.Remove(ctx, v)
	})
}
