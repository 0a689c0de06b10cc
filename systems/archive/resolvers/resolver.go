// Package resolvers answers the fields of the archive's GraphQL schema by asking the
// areas.
//
// A resolver takes its arguments, makes one call and hands the answer on; whatever needs
// deciding is decided in the area. Errors pass through: the server presents them.
package resolvers

import "time"

// Resolver answers all fields. Its parts are set once and used by all requests.
type Resolver struct {
	People   People
	Catalog  Catalog
	Posts    Posts
	Records  Records
	Places   Places
	Searches Searches
	Files    Files
	Settled  Settings

	// Gather is how long a field waits for others of its operation that ask for the same
	// kind of thing; 0 stands for batch.Wait.
	Gather time.Duration
}
