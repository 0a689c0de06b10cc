// Package keycodec encodes key attributes as bytes that sort like their values.
//
// Encodings are self-delimiting: no encoded value is a prefix of another, so encodings can
// be concatenated and still compare component by component. Text and binary values must
// therefore only be compared in encoded form, never mixed with raw bytes.
//
// A stored key consists of
//
//	space (1) | relation (4) | hash of the partition (4) | partition | sort | owner's partition | owner's sort
//
// where a relation is a table or an index, and only indexes have the owner parts. All
// items of one partition are adjacent, so a Query is one range, and the hash distributes
// partitions uniformly, so a Scan segment is also one range.
package keycodec
