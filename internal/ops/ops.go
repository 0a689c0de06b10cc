// Package ops stores what the service itself needs, whichever systems it serves: pending
// events, leases, runs of jobs, identities, idempotency keys, the progress of an import.
//
// All of it is in one table, in which systems declare rows of their own, such as guards of
// unique names; only what operators do is in another, which has indexes.
package ops

import "stoa/internal/kit/keyspec"

// Table is the ops table.
var Table = &keyspec.Table{Name: "ops", PK: "partitionKey", SK: "sortKey"}

// Store accesses the rows that belong to no system.
type Store struct {
	Outbox     *Outbox
	Leases     *Leases
	Jobs       *Jobs
	Identities *Identities
	Imports    *Imports
	Operators  *Operators
	Keys       *Keys
	Formats    *Formats
}

// Open returns the store in a database that has Table.
func Open(db *keyspec.DB) *Store {
	return &Store{
		Outbox:     &Outbox{db},
		Leases:     &Leases{db},
		Jobs:       &Jobs{db},
		Identities: &Identities{db},
		Imports:    &Imports{db},
		Operators:  &Operators{db},
		Keys:       &Keys{db},
		Formats:    &Formats{db},
	}
}
