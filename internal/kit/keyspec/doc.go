// Package keyspec declares the items of a DynamoDB table in the notation of the table's
// design, and derives everything else from the declaration: keys and index keys, sparse
// indexes, index updates, CreateTable, cursors, samples and the printed schema. Each kind
// of item is one Entity, defined by Define from a struct and a Row.
//
// A zero field is an absent attribute: it is not stored, and keys that need it are absent.
// If absent and zero (or false, or empty) have different meanings, use a pointer, or
// distinguish nil and empty lists. With `,null` in its tag, an absent pointer, JSON or time is
// stored as NULL. With `,set` and `,json`, slices of texts and texts are stored like a Set and
// a JSON, so that nouns need no types of this package.
package keyspec
