package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Screens stores users' views of the app's screens.
type Screens struct{ db *keyspec.DB }

// Views returns a user's views of screens, by screen name.
func (s *Screens) Views(ctx context.Context, id social.UserID, screens []string) (map[string]social.ScreenView, error) {
	key := func(screen string) keyspec.Key { return screenViews.Key(screen, string(id)) }
	return stored.Load(ctx, s.db, screenViews, screens, key, stored.Value)
}

// Put replaces one user's views, given those before by screen name. It fails with Conflict
// if those have changed or the user is gone.
func (s *Screens) Put(ctx context.Context, before map[string]social.ScreenView, views []social.ScreenView) error {
	tx := s.db.NewTx()
	for _, v := range views {
		put := screenViews.Put(tx, v)
		if was, ok := before[v.Screen]; ok {
			put.If(sameViews, was.Count, was.FirstViewedAt)
		} else {
			put.Absent()
		}
		profiles.Check(tx, profileKey(v.UserID)).If(hadProfile, v.FirstViewedAt)
	}
	return stored.Outcome(tx.Run(ctx))
}

// sameViews is true if no view has been added since.
const sameViews = "viewCount = ? AND firstViewedAt = ?"

// OfUser returns a user's screen views in the order of the first views, from A2.
func (s *Screens) OfUser(ctx context.Context, id social.UserID, q page.Query) (page.Page[social.ScreenView], error) {
	return stored.List(ctx, s.db, screenViews.Begins(A2, string(id)), q, false, stored.Value)
}

// Remove removes a view, unless it has changed.
func (s *Screens) Remove(ctx context.Context, v social.ScreenView) error {
	tx := s.db.NewTx()
	screenViews.Delete(tx, screenViews.KeyOf(&v)).If(sameViews, v.Count, v.FirstViewedAt)
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}
