// Package resolvers resolves the fields of the contract. A resolver takes the viewer from
// the context, converts its arguments, calls an area and returns the result; decisions are
// made in the areas. Errors are passed through and presented by the server.
package resolvers

import (
	"time"

	"stoa/systems/messaging/account"
	"stoa/systems/messaging/contact"
	"stoa/systems/messaging/message"
	"stoa/systems/messaging/presence"
	"stoa/systems/messaging/topic"
)

// Resolver resolves all fields. Its fields are set once and shared by all requests.
type Resolver struct {
	Accounts  *account.Service
	Contacts  *contact.Service
	Topics    *topic.Service
	Messages  *message.Service
	Presences *presence.Service

	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}
