// Package store stores the archive in one DynamoDB table, Archive, according to its design:
// an index lists items by sort key, in the order of their altSort.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision. Most items are replaced as a whole, provided that their last_update_time is the
// one that was read.
package store
