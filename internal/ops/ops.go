// Package ops keeps what the service needs for itself, whatever system it serves: events
// to deliver, leases, runs of jobs, identities, the progress of an import.
//
// All of it lives in one table, in which systems declare rows of their own, such as
// guards of unique names.
package ops

import "stoa/internal/kit/keyspec"

// Table holds it all.
var Table = &keyspec.Table{Name: "ops", PK: "partitionKey", SK: "sortKey"}

// Store is that part of the table that is no system's.
type Store struct {
	Outbox     *Outbox
	Leases     *Leases
	Jobs       *Jobs
	Identities *Identities
	Imports    *Imports
}

// Open takes the store from tables that Table is among.
func Open(db *keyspec.DB) *Store {
	return &Store{
		Outbox:     &Outbox{db},
		Leases:     &Leases{db},
		Jobs:       &Jobs{db},
		Identities: &Identities{db},
		Imports:    &Imports{db},
	}
}
