package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Views stores views of posts, and the counters of posts and their owners.
//
// Whether a view counts depends on whether the viewer owns the post, which is not in the
// view's row. These counters are therefore not declared, but updated when a first view is
// stored.
type Views struct{ db *keyspec.DB }

// maxViewsRemoved is the maximum number of views that a transaction can remove in addition
// to checking their post.
const maxViewsRemoved = 99

// Facts returns those posts that exist, with the viewer's view of each, if any. One call
// reads up to 49 posts.
func (s *Views) Facts(ctx context.Context, viewer social.UserID, ids []social.PostID) (map[social.PostID]social.PostViewFacts, error) {
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(ids), func(i int) keyspec.Key { return postKey(ids[i]) })
	views := fetchMarks(b, postViews, true, ids, viewer)
	profile := profiles.Fetch(b, profileKey(viewer))
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	facts := make(map[social.PostID]social.PostViewFacts, len(ids))
	for i, id := range ids {
		item := found.At(i)
		if item == nil {
			continue
		}
		f := social.PostViewFacts{Viewer: viewer, Post: item}
		// A view older than the post is a leftover of an earlier post with the same id.
		if view := views.at(i); view != nil && !view.FirstViewedAt.Before(item.PostedAt) {
			f.View = view
		}
		if u := profile.At(0); u != nil {
			f.Since = u.SignedUpAt
			f.LastPostViewAt, f.LastPostFocusViewAt = u.LastPostViewAt, u.LastPostFocusViewAt
		}
		facts[id] = f
	}
	return facts, nil
}

// Add stores view steps of one viewer on distinct posts with their counters, and e. A view
// by a post's owner also makes all its comments viewed. It fails with Conflict if a post is
// no longer COMPLETED, its number of viewers has left the range for which events were
// decided, an unviewed comment has been added or removed, or the viewer's views have
// changed. If only the trends have changed, it fails with social.ErrTrendChanged.
func (s *Views) Add(ctx context.Context, steps []social.PostViewStep, e ...outbox.Record) error {
	outcome, gone := s.add(ctx, steps, nil, e)
	if len(gone) > 0 {
		// Posts of former profiles can be viewed, but the views are counted for nobody.
		outcome, _ = s.add(ctx, steps, gone, e)
	}
	return outcome
}

// add is like Add, but updates no counters of the owners in without. It also returns the
// owners whose counters could not be updated because they have other profiles now.
func (s *Views) add(ctx context.Context, steps []social.PostViewStep, without []social.UserID, e []outbox.Record) (outcome error, gone []social.UserID) {
	tx := s.db.NewTx()
	var trends []keyspec.Action
	owners := map[social.UserID]keyspec.Action{}
	for _, step := range steps {
		trends = append(trends, addView(tx, step)...)
		if owner := step.Post.PostedByUserID; step.Counts() && !slices.Contains(without, owner) {
			owners[owner] = profiles.Update(tx, profileKey(owner)).
				If(hadProfile, step.Post.PostedAt).Shift("postViewedByCount", 1)
		}
	}
	err := ops.Commit(ctx, tx, e...)
	for owner, counted := range owners {
		if keyspec.Refused(err, counted) {
			gone = append(gone, owner)
		}
	}
	for _, a := range trends {
		if keyspec.Refused(err, a) {
			return social.ErrTrendChanged, gone
		}
	}
	return stored.Outcome(err), gone
}

// addView adds a step to a transaction and returns the actions for its trends.
func addView(tx *keyspec.Tx, step social.PostViewStep) (trends []keyspec.Action) {
	p, item := step.Post, step.After
	on := posts.Update(tx, postKey(p.PostID)).
		If(samePost, p.PostedByUserID, p.PostedAt).
		If("postStatus = ?", social.PostCompleted)
	if step.Before == nil {
		postViews.Put(tx, item).If("attribute_not_exists(firstViewedAt) OR firstViewedAt < ?", p.PostedAt)
	} else {
		postViews.Change(tx, *step.Before, item).If("viewCount = ?", step.Before.ViewCount)
	}
	if step.Counts() {
		countViewer(on, step)
	}
	if step.Own() {
		viewComments(on, p)
	}
	if step.Trend != nil {
		trends = takeTrends(tx, step)
	}
	viewer := profiles.Update(tx, profileKey(step.After.UserID)).If(hadProfile, item.FirstViewedAt).
		If("attribute_not_exists(lastPostViewAt) OR lastPostViewAt <= ?", item.LastViewedAt).
		Set("lastPostViewAt", item.LastViewedAt)
	if step.Type == social.ViewFocus {
		viewer.If("attribute_not_exists(lastPostFocusViewAt) OR lastPostFocusViewAt <= ?", item.LastViewedAt).
			Set("lastPostFocusViewAt", item.LastViewedAt)
	}
	return trends
}

// viewComments makes all comments on p viewed, provided that they are the ones the owner
// has seen.
func viewComments(on keyspec.Update, p *social.Post) {
	on.Remove("commentsUnviewedCount", "lastUnreadCommentAt").Given("postedByUserId", p.PostedByUserID)
	if p.CommentsUnviewedCount == 0 {
		on.If("attribute_not_exists(commentsUnviewedCount) OR commentsUnviewedCount = ?", 0)
		return
	}
	on.If("commentsUnviewedCount = ?", p.CommentsUnviewedCount)
}

// countViewer increments the viewers of a post, provided that their number is in the range
// that the step assumes.
func countViewer(on keyspec.Update, step social.PostViewStep) {
	on.Shift("viewedByCount", 1)
	least, most := step.Crowds()
	if least == 0 {
		on.If("attribute_not_exists(viewedByCount) OR viewedByCount <= ?", most)
		return
	}
	on.If("viewedByCount >= ?", least)
	if most > 0 {
		on.If("viewedByCount <= ?", most)
	}
}

// ByPost returns the views of a post, earliest first view first, from A1.
func (s *Views) ByPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error) {
	return stored.List(ctx, s.db, postViews.Begins(A1, string(id)), q, false, stored.Value)
}

// OfPost returns the views of a post, with a consistent read of the primary key.
func (s *Views) OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error) {
	return stored.List(ctx, s.db, postViews.Begins(keyspec.Primary, string(id)), q, false, stored.Value)
}

// RemoveLeftovers removes views of a post that no longer exists, without updating counters.
// It keeps those of a newer post with the same id.
func (s *Views) RemoveLeftovers(ctx context.Context, id social.PostID, of []social.PostView) error {
	return leftovers[social.PostView]{
		db:   s.db,
		made: func(v social.PostView) time.Time { return v.FirstViewedAt },
		remove: func(tx *keyspec.Tx, v social.PostView) {
			postViews.Delete(tx, postViews.KeyOf(&v))
		},
	}.of(ctx, id, of, maxViewsRemoved)
}

// ByViewer returns the views of a user, earliest first view first, from A2.
func (s *Views) ByViewer(ctx context.Context, viewer social.UserID, q page.Query) (page.Page[social.PostView], error) {
	return stored.List(ctx, s.db, postViews.Begins(A2, string(viewer)), q, false, stored.Value)
}

// Forget removes a view of a removed user and updates the counters of the post and its
// owner; p is nil if the post no longer exists. It fails with Conflict if the view or the
// post has been replaced, and for a view that its entry of the journal has yet to count.
func (s *Views) Forget(ctx context.Context, v social.PostView, p *social.Post) error {
	if id := v.Entry(); id != "" && p != nil && p.CountsViewer(v) {
		pending, err := viewEntries.Get(ctx, s.db, viewEntries.Key(string(v.PostID), id))
		if err != nil {
			return err
		}
		if pending != nil {
			return fmt.Errorf("a view of post %q has yet to be counted", v.PostID)
		}
	}
	err, ownerGone := s.forget(ctx, v, p, true)
	if ownerGone {
		err, _ = s.forget(ctx, v, p, false)
	}
	return stored.Outcome(err)
}

func (s *Views) forget(ctx context.Context, v social.PostView, p *social.Post, owned bool) (err error, ownerGone bool) {
	tx := s.db.NewTx()
	postViews.Delete(tx, postViews.KeyOf(&v)).If("firstViewedAt = ?", v.FirstViewedAt)
	if p == nil || !p.CountsViewer(v) {
		return tx.Run(ctx), false
	}
	posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt).Shift("viewedByCount", -1)
	if !owned {
		return tx.Run(ctx), false
	}
	owner := profiles.Update(tx, profileKey(p.PostedByUserID)).
		If(hadProfile, p.PostedAt).Shift("postViewedByCount", -1)
	err = tx.Run(ctx)
	return err, keyspec.Refused(err, owner)
}
