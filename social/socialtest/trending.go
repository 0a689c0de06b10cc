package socialtest

import (
	"stoa/internal/apptest"
	"stoa/store"
)

// Trending sets a post's trending score in the store.
func (g Given) Trending(post string, score float64) Given { return g.And(trend("post", post, score)) }

// Trend sets a user's trending score in the store.
func (g Given) Trend(user string, score float64) Given {
	return g.And(trend("user", "{"+user+"}", score))
}

func trend(kind, id string, score float64) apptest.Step {
	return func(w *World) {
		const at = "2026-01-01T12:00:00.000000Z"
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": kind + "/" + w.People.Fill(id), "sortKey": "trending", "schemaVersion": 0,
			"gsiA4PartitionKey": kind + "/trending", "gsiA4SortKey": score, "lastDeflatedAt": at, "createdAt": at,
		})
	}
}
