// Package keyspec declares the items of a DynamoDB table in the notation of the table's
// design, and derives everything else from the declaration: keys and index keys, sparse
// indexes, index updates, CreateTable, cursors, samples and the printed schema. Each kind
// of item is one Entity, defined by Define from a struct and a Row.
//
// A zero field is an absent attribute: it is not stored, and keys that need it are absent.
// If absent and zero (or false, or empty) have different meanings, use a pointer, or
// distinguish nil and empty lists. With `,null` in its tag, an absent pointer is stored as
// NULL.
package keyspec
