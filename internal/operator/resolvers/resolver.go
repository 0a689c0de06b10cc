// Package resolvers resolves the fields of the operator API by calling its service.
//
// A resolver takes its arguments, makes one call and returns the result.
package resolvers

import "stoa/internal/operator"

// Resolver resolves all fields.
type Resolver struct{ *operator.Service }
