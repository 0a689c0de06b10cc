// Package resolvers answers the fields of the GraphQL schema of communities by asking the
// areas.
//
// A resolver takes its arguments, makes one call and hands the answer on; whatever needs
// deciding is decided in the area. Errors pass through: the server presents them.
package resolvers

// Resolver answers all fields.
type Resolver struct{}
