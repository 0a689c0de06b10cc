// Package catalog describes tables: their keys, indexes and settings, how a
// request to create one is judged, and how one is described to clients.
//
// A Table is immutable once it is shared; With… methods return changed copies.
// Relation numbers (see keycodec) are chosen by the caller, who must never give
// one out twice.
package catalog
