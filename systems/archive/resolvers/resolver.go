// Package resolvers resolves the fields of the archive's GraphQL schema by calling the
// areas.
//
// A resolver takes its arguments, makes one call and returns the result; decisions are made
// in the areas. Errors are passed through and presented by the server.
package resolvers

import (
	"time"

	"stoa/systems/archive/catalog"
	"stoa/systems/archive/file"
	"stoa/systems/archive/people"
	"stoa/systems/archive/place"
	"stoa/systems/archive/post"
	"stoa/systems/archive/record"
	"stoa/systems/archive/search"
	"stoa/systems/archive/setting"
)

// Resolver resolves all fields. Its fields are set once and shared by all requests.
type Resolver struct {
	People   *people.Service
	Catalog  *catalog.Service
	Posts    *post.Service
	Records  *record.Service
	Places   *place.Service
	Searches *search.Service
	Files    *file.Service
	Settings *setting.Service

	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}
