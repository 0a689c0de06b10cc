package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Screens keeps who viewed which screens of the app.
type Screens struct{ db *keyspec.DB }

// Views returns what a user has viewed of screens, by their names.
func (s *Screens) Views(ctx context.Context, id social.UserID, screens []string) (map[string]social.ScreenView, error) {
	b := s.db.NewBatch()
	read := screenViews.FetchEach(b, len(screens), func(i int) keyspec.Key { return screenViews.Key(screens[i], string(id)) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	views := map[string]social.ScreenView{}
	for i, screen := range screens {
		if item := read.At(i); item != nil {
			views[screen] = item.view()
		}
	}
	return views, nil
}

// Put stores views of one user in place of those before, by the names of their screens. It
// fails with Conflict when those are not as they were, or the user is gone.
func (s *Screens) Put(ctx context.Context, before map[string]social.ScreenView, views []social.ScreenView) error {
	tx := s.db.NewTx()
	for _, v := range views {
		put := screenViews.Put(tx, screenViewItemOf(v))
		if was, ok := before[v.Screen]; ok {
			put.If(sameViews, was.Count, keyspec.StampOf(was.FirstViewedAt))
		} else {
			put.Absent()
		}
		profiles.Check(tx, profileKey(v.UserID)).If(hadProfile, keyspec.StampOf(v.FirstViewedAt))
	}
	return stored.Outcome(tx.Run(ctx))
}

// sameViews holds while nothing was viewed since.
const sameViews = "viewCount = ? AND firstViewedAt = ?"

// OfUser returns what a user has viewed, in the order in which they first did, by A2.
func (s *Screens) OfUser(ctx context.Context, id social.UserID, q page.Query) (page.Page[social.ScreenView], error) {
	return stored.List(ctx, s.db, screenViews.Begins(A2, string(id)), q, false, (*screenViewItem).view)
}

// Remove removes a view, unless it is another by now.
func (s *Screens) Remove(ctx context.Context, v social.ScreenView) error {
	tx := s.db.NewTx()
	screenViews.Delete(tx, screenViews.Key(v.Screen, string(v.UserID))).If(sameViews, v.Count, keyspec.StampOf(v.FirstViewedAt))
	if err := stored.Outcome(tx.Run(ctx)); refusal.KindOf(err) != refusal.Conflict {
		return err
	}
	return nil
}

func (i *screenViewItem) view() social.ScreenView {
	return social.ScreenView{
		Screen: i.ScreenID, UserID: i.UserID, FirstViewedAt: i.FirstViewedAt.Time(), LastViewedAt: i.LastViewedAt.Time(), Count: i.ViewCount,
	}
}

func screenViewItemOf(v social.ScreenView) screenViewItem {
	return screenViewItem{ScreenID: v.Screen, viewItem: viewItem{
		UserID: v.UserID, FirstViewedAt: keyspec.StampOf(v.FirstViewedAt), LastViewedAt: keyspec.StampOf(v.LastViewedAt), ViewCount: v.Count,
	}}
}
