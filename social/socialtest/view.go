package socialtest

import (
	"stoa/internal/kit/keyspec"
	"stoa/store"
)

// ViewPost makes a user view a post, past the API: it has no such mutation yet. Its owner
// has viewed the comments, too.
func (g Given) ViewPost(viewer, postID string) Given {
	return g.And(func(w *World) {
		by, now := string(w.ID(viewer)), keyspec.StampOf(w.Now()).String()
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "post/" + postID, "sortKey": "view/" + by, "schemaVersion": 0,
			"firstViewedAt": now, "lastViewedAt": now, "viewCount": 1, "thumbnailViewCount": 1,
			"gsiA1PartitionKey": "postView/" + postID, "gsiA1SortKey": now, "gsiA2PartitionKey": "postView/" + by, "gsiA2SortKey": now,
		})
		if post := w.Get(store.Main.Name, "post/"+postID, "-"); post["postedByUserId"] == by {
			for _, name := range []string{"commentsUnviewedCount", "gsiA3PartitionKey", "gsiA3SortKey"} {
				delete(post, name)
			}
			w.Put(store.Main.Name, post)
		}
	})
}
