// Package catalog describes tables: their keys, indexes and settings, the validation of
// requests to create them, and their descriptions for clients.
//
// A Table is immutable once it is shared; With… methods return modified copies. Relation
// numbers (see keycodec) are assigned by the caller, who must never reuse one.
package catalog
