package ops

import "stoa/internal/kit/keyspec"

// Leases: the right of one process to do something, until it expires.
var leases = keyspec.Define[leaseItem](Table, keyspec.Row{
	Key: keyspec.K("lease/{name}", "-"),
})

type leaseItem struct {
	Name string `dynamo:"name,keyonly"`
	// Holder is absent while the lease is free.
	Holder string `dynamo:"holder"`
	// Term increases with each new holder.
	Term      int64         `dynamo:"term"`
	ExpiresAt keyspec.Stamp `dynamo:"expiresAt"`
}
