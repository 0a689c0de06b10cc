// Package gqlplan answers GraphQL queries and mutations from plans: selections that
// were merged, numbered and escaped once for a document, by which generated code
// appends the JSON of an answer straight from Go values.
//
// gqlgen executes operations with a field context, a marshaler and often a goroutine
// for each value of an answer. That is right for fields that have resolvers, and most
// of the cost of a list whose elements are plain structs. A plan treats resolvers as
// gqlgen does, with its own functions: they run side by side where it runs them so,
// and see the same contexts. What needs no resolver is read and written in place.
//
// Data are the same, byte for byte but for how strings escape what JSON cannot hold
// (package jsonstring), as are errors: their texts, paths and places, and
// how far a null spreads. The order of errors from different fields is as open as in
// gqlgen. Plans leave out what neither the schema nor the server uses: field
// middleware around plain fields, graphql.MarkNonNull, @defer and the input
// unmarshalers in the context. What a plan does not cover, such as introspection, has
// none and is left to gqlgen.
//
// Command generate, beside this package, writes the code for a schema.
package gqlplan
