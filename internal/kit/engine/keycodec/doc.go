// Package keycodec writes key attributes as bytes whose order is the order of
// the values they stand for.
//
// Every encoding ends itself: no encoded value is the beginning of another, so
// encodings may be appended to each other and still compare component by
// component. Text and binary values must therefore only be compared through
// their encodings, never mixed with raw bytes.
//
// A stored key reads
//
//	space (1) | relation (4) | hash of the partition (4) | partition | sort | owner's partition | owner's sort
//
// where a relation is a table or an index, and the owner parts exist for
// indexes only. All items of one partition are neighbours, so a Query is one
// range, and the hash spreads partitions evenly, so a Scan segment is one range
// too.
package keycodec
