// Package store keeps the archive in one DynamoDB table, Archive, as its design draws it:
// an index turns the sort keys of items into lists, in the order of their altSort.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision that it was made on. Most items are replaced whole, provided that their
// last_update_time is the one that was read.
package store
