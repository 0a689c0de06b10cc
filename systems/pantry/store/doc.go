// Package store stores households in one DynamoDB table, Pantry, according to its design.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision. A container is one item with all its foods. A change of a food updates only its
// own path, so that concurrent changes of different foods all succeed.
package store
