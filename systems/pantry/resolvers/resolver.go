// Package resolvers resolves the fields of pantry's GraphQL schema by calling the areas.
//
// A resolver takes its arguments, makes one call and returns the result; decisions are made
// in the areas. Errors are passed through and presented by the server.
package resolvers

import (
	"time"

	"stoa/systems/pantry/household"
	"stoa/systems/pantry/invite"
	"stoa/systems/pantry/kitchen"
)

// Resolver resolves all fields. Its fields are set once and shared by all requests.
type Resolver struct {
	Household *household.Service
	Kitchen   *kitchen.Service
	Invite    *invite.Service

	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}
