// Package keyspec declares what a DynamoDB table holds, in the notation of the
// table's design, and derives everything else from the declaration: keys and index
// keys, sparse indexes, restamping, CreateTable, cursors, samples and the printed
// schema. Each kind of item is one Entity, made by Define from a struct and a Row.
//
// A zero field is an absent attribute: it is not stored, and no key is built from
// it. Where absent and zero (or false, or empty) mean different things, use a
// pointer, or for lists the difference of nil and empty. With `,null` in its tag an absent
// pointer is stored as NULL.
package keyspec
