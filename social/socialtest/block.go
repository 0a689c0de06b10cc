package socialtest

import (
	"stoa/internal/kit/keyspec"
	"stoa/store"
)

// Block makes a user block another, past the API: it has no such mutation yet, and what
// else follows from a block is missing.
func (g Given) Block(blocker, blocked string) Given {
	return g.And(func(w *World) {
		from, to, now := string(w.ID(blocker)), string(w.ID(blocked)), keyspec.StampOf(w.Now()).String()
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "user/" + to, "sortKey": "blocker/" + from, "schemaVersion": 0,
			"blockerUserId": from, "blockedUserId": to, "blockedAt": now,
			"gsiA1PartitionKey": "block/" + from, "gsiA1SortKey": now, "gsiA2PartitionKey": "block/" + to, "gsiA2SortKey": now,
		})
	})
}
