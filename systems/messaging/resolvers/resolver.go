// Package resolvers resolves the fields of the contract. A resolver takes the viewer from
// the context, converts its arguments, calls an area and returns the result; decisions are
// made in the areas. Errors are passed through and presented by the server.
package resolvers

import "time"

// Resolver resolves all fields. Its fields are set once and shared by all requests.
type Resolver struct {
	Accounts  Account
	Contacts  Contact
	Topics    Topic
	Letters   Message
	Presences Presence

	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}
