// Package gqlplan executes GraphQL queries and mutations by plans: selections that are
// merged, numbered and escaped once per document. Generated code uses them to append the
// JSON of a response directly from Go values.
//
// gqlgen executes operations with a field context, a marshaler and often a goroutine for
// each value of a response. That is right for fields with resolvers, but it is most of the
// cost of a list whose elements are plain structs. A plan treats resolvers like gqlgen,
// with its functions: they run concurrently in the same cases, and see the same contexts.
// Values without resolvers are read and written in place.
//
// Data is byte-identical, except for the escapes in strings of what JSON cannot represent
// (package jsonstring). So are errors: their texts, paths and locations, and the
// propagation of nulls. The order of errors from different fields is as unspecified as in
// gqlgen. Plans omit features that neither the schema nor the server uses: field middleware
// around plain fields, graphql.MarkNonNull, @defer and the input unmarshalers in the
// context. Documents that plans are not kept for are executed by a plan for one request, whose
// selections are compiled as far as the data needs them: introspection, subscriptions, and
// fragments that multiply fields. So a program has no use for gqlgen's executor, which is more
// than a tenth of it, and omits it; tests compare the two.
//
// Command generate, in a subdirectory, generates the code for a schema.
package gqlplan
