// Package store keeps households in one DynamoDB table, Pantry, as its design draws it.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision that it was made on. A container is one item with all its foods; every change
// of a food is made in its place within, so that writers of different foods both prevail.
package store
