package socialtest

import (
	"stoa/internal/kit/keyspec"
	"stoa/store"
)

// FlagPost makes a user report a post, past the API: it has no such mutation yet.
func (g Given) FlagPost(flagger, postID string) Given {
	return g.And(func(w *World) {
		by := string(w.ID(flagger))
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "post/" + postID, "sortKey": "flag/" + by, "schemaVersion": 0, "createdAt": keyspec.StampOf(w.Now()).String(),
			"gsiK1PartitionKey": "flag/" + by, "gsiK1SortKey": "post",
		})
	})
}

// FlagComment makes a user report a comment, past the API: it has no such mutation yet.
func (g Given) FlagComment(flagger, id string) Given {
	return g.And(func(w *World) {
		by := string(w.ID(flagger))
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "comment/" + id, "sortKey": "flag/" + by, "schemaVersion": 0, "createdAt": keyspec.StampOf(w.Now()).String(),
			"gsiK1PartitionKey": "flag/" + by, "gsiK1SortKey": "comment",
		})
	})
}
