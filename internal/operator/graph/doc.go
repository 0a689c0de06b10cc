// Package graph is the GraphQL layer of the operator API: the executor and models that gqlgen
// generates from schema.graphqls.
//
// Files whose names end in .generated.go or _gen.go are generated: change schema.graphqls
// or gqlgen.yml and generate them again.
package graph
