package socialtest

import "stoa/store"

// Trending gives a post a trending score, past the API.
func (g Given) Trending(post string, score float64) Given {
	return g.And(func(w *World) {
		const at = "2026-01-01T12:00:00.000000Z"
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "post/" + post, "sortKey": "trending", "schemaVersion": 0,
			"gsiA4PartitionKey": "post/trending", "gsiA4SortKey": score, "lastDeflatedAt": at, "createdAt": at,
		})
	})
}
