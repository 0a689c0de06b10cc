package ops

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/lease"
)

// Leases: the right of one process to do something, until it expires.
var leases = keyspec.Define[leaseItem](Table, keyspec.Row{
	Key: keyspec.K("lease/{name}", "-"),
})

type leaseItem struct {
	Name string `dynamo:"name,keyonly"`
	lease.Record
}
