package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// settledWithin is how long an entry of the journal of views may be there. After that its event
// has been given up, or lost.
const settledWithin = 2 * time.Hour

// checkViews checks that views of hot posts have been counted. Those of a lost entry are the ones
// that say they are from it.
func (c *census) checkViews(ctx context.Context, db *keyspec.DB, now time.Time) error {
	lost := map[string]viewEntryItem{}
	err := db.Walk(ctx, viewEntries.Each(func(i viewEntryItem) {
		if now.Sub(i.CreatedAt) > settledWithin {
			lost[i.ID] = i
		}
	}))
	if err != nil || len(lost) == 0 {
		return err
	}
	viewers := map[string]int{}
	err = db.Walk(ctx, postViews.Each(func(v social.PostView) {
		if _, is := lost[v.Entry()]; is {
			viewers[v.Entry()]++
		}
	}))
	if err != nil {
		return err
	}
	for id, entry := range lost {
		p, err := posts.Get(ctx, db, postKey(entry.PostID))
		if err != nil {
			return err
		}
		c.breaks(func(tx *keyspec.Tx) {
			viewEntries.Delete(tx, viewEntries.KeyOf(&entry)).Exists()
			if p == nil || viewers[id] == 0 {
				return
			}
			posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt).Shift("viewedByCount", viewers[id])
			if owner := c.users[p.PostedByUserID]; owner.had(p.PostedAt) {
				profiles.Update(tx, profileKey(p.PostedByUserID)).If(hadProfile, p.PostedAt).Shift("postViewedByCount", viewers[id])
			}
		}, "%d views of post %s have not been counted", viewers[id], entry.PostID)
	}
	return nil
}
