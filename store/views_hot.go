package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

func viewEntryKey(e social.PostViewsGathered) keyspec.Key {
	return viewEntries.Key(string(e.PostID), e.ID)
}

// Gather stores an entry of the journal of views, with the event that has its views.
func (s *Views) Gather(ctx context.Context, entry social.PostViewsGathered, e ...outbox.Record) error {
	tx := s.db.NewTx()
	viewEntries.Create(tx, viewEntryItem{PostID: entry.PostID, ID: entry.ID, CreatedAt: entry.Views[0].At})
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Pending reports whether an entry is there.
func (s *Views) Pending(ctx context.Context, e social.PostViewsGathered) (bool, error) {
	entry, err := viewEntries.Get(ctx, s.db, viewEntryKey(e))
	return entry != nil, err
}

// GatheredFacts returns the facts of an entry, in one call.
func (s *Views) GatheredFacts(ctx context.Context, e social.PostViewsGathered) (f social.GatheredFacts, err error) {
	b := s.db.NewBatch()
	entry := viewEntries.Fetch(b, viewEntryKey(e))
	post := posts.Fetch(b, postKey(e.PostID))
	owner := profiles.Fetch(b, profileKey(e.Owner))
	ofPost, ofUser := postTrending.Fetch(b, postTrendKey(e.PostID)), userTrending.Fetch(b, userTrendKey(e.Owner))
	views := postViews.FetchEach(b, len(e.Views), func(i int) keyspec.Key { return postViews.Key(string(e.PostID), string(e.Views[i].Viewer)) })
	viewers := profiles.FetchEach(b, len(e.Views), func(i int) keyspec.Key { return profileKey(e.Views[i].Viewer) })
	if err := b.Run(ctx); err != nil {
		return f, err
	}
	f.Pending, f.Post = entry.At(0) != nil, post.At(0)
	f.Trend.Owner = owner.At(0).present()
	if item := ofPost.At(0); item != nil {
		f.Trend.Post = &item.Trend
	}
	if item := ofUser.At(0); item != nil {
		f.Trend.User = &item.Trend
	}
	f.Views, f.Viewers = make([]*social.PostView, len(e.Views)), make([]*social.GatheredViewer, len(e.Views))
	for i := range e.Views {
		f.Views[i] = views.At(i)
		if u := viewers.At(i); u.isThere() {
			f.Viewers[i] = &social.GatheredViewer{Since: u.SignedUpAt, LastPostViewAt: u.LastPostViewAt, LastPostFocusViewAt: u.LastPostFocusViewAt}
		}
	}
	return f, nil
}

// Settle stores a view of an entry as its Stored says, and then the time of the viewer's last
// view: if the viewer has been removed meanwhile, either their clean-up finds the view, or this
// fails. It fails with Conflict if something has changed.
func (s *Views) Settle(ctx context.Context, v social.GatheredView, do social.Stored, p *social.Post) error {
	tx := s.db.NewTx()
	tx.Alone()
	switch {
	case do.Remove != nil:
		postViews.Delete(tx, postViews.KeyOf(do.Remove)).If("journal = ? AND viewCount = ?", do.Remove.Journal, do.Remove.ViewCount)
	case do.Before != nil:
		postViews.Change(tx, *do.Before, *do.Put).If("firstViewedAt = ? AND viewCount = ?", do.Before.FirstViewedAt, do.Before.ViewCount)
	case do.Put != nil:
		postViews.Put(tx, *do.Put).If("attribute_not_exists(firstViewedAt) OR firstViewedAt < ?", p.PostedAt)
	}
	if err := tx.Run(ctx); err != nil || do.Remove != nil {
		return stored.Outcome(err)
	}
	if !do.Marks && !do.Focuses { // a later view has been marked
		viewer, err := profiles.Get(ctx, s.db, profileKey(v.Viewer))
		if err == nil && !viewer.had(v.At) {
			err = refusal.ErrChanged
		}
		return err
	}
	tx = s.db.NewTx()
	tx.Alone()
	viewer := profiles.Update(tx, profileKey(v.Viewer)).If(hadProfile, v.At)
	if do.Marks {
		viewer.If("attribute_not_exists(lastPostViewAt) OR lastPostViewAt < ?", v.At).Set("lastPostViewAt", v.At)
	}
	if do.Focuses {
		viewer.If("attribute_not_exists(lastPostFocusViewAt) OR lastPostFocusViewAt < ?", v.At).Set("lastPostFocusViewAt", v.At)
	}
	return stored.Outcome(tx.Run(ctx))
}

// Count counts the views of an entry for the post, its owner and their trends, ends the entry, and
// stores e. It fails with Conflict if the entry has been counted or the post has changed, and with social.ErrTrendChanged if only the trends have.
func (s *Views) Count(ctx context.Context, step social.GatheredStep, e ...outbox.Record) error {
	err, ownerGone := s.count(ctx, step, true, e)
	if ownerGone {
		err, _ = s.count(ctx, step, false, e)
	}
	return err
}

func (s *Views) count(ctx context.Context, step social.GatheredStep, owned bool, e []outbox.Record) (err error, ownerGone bool) {
	tx := s.db.NewTx()
	entry := viewEntries.Delete(tx, viewEntryKey(step.Entry)).Exists()
	var trends []keyspec.Action
	var owner keyspec.Action
	if p := step.Post; p != nil && (step.Viewers > 0 || step.Trend != nil) {
		on := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt).
			If("postStatus = ?", social.PostCompleted).Shift("viewedByCount", step.Viewers)
		if step.Exactly() {
			asCounted(on, "viewedByCount", p.ViewedByCount)
		}
		if owned && step.Viewers > 0 {
			owner = profiles.Update(tx, profileKey(p.PostedByUserID)).If(hadProfile, p.PostedAt).Shift("postViewedByCount", step.Viewers)
		}
		if step.Trend != nil {
			trends = takeTrends(tx, social.PostViewStep{Post: p, Trend: step.Trend})
		}
	}
	ops.Record(tx, e...)
	err = tx.Run(ctx)
	if keyspec.Refused(err, entry) {
		return refusal.ErrChanged, false // the next attempt finds that
	}
	if owner != nil && keyspec.Refused(err, owner) {
		return err, true
	}
	for _, a := range trends {
		if keyspec.Refused(err, a) {
			return social.ErrTrendChanged, false
		}
	}
	return stored.Outcome(err), false
}
