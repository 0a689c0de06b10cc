// Package resolvers answers the fields of the contract. A resolver takes the viewer from
// the context, turns arguments into nouns, asks an area and hands the answer on; whatever
// needs deciding is decided in the area. Errors pass through: the server presents them.
package resolvers

import "time"

// Resolver answers all fields. Its parts are set once and used by all requests.
type Resolver struct {
	Accounts  Account
	Contacts  Contact
	Topics    Topic
	Letters   Message
	Presences Presence

	// Gather is how long a field waits for others of its operation that ask for the same
	// kind of thing; 0 stands for batch.Wait.
	Gather time.Duration
}
