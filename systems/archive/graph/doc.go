// Package graph is the GraphQL face of the archive: the executor and models that gqlgen
// writes from schema.graphqls, and the scalars of the contract.
//
// Files whose names end in .generated.go or _gen.go are output: change schema.graphqls or
// gqlgen.yml and generate again.
package graph
