// Package store keeps messaging in six DynamoDB tables, as their design draws them.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision that it was made on. What the design has no place for, such as who is there and
// which tokens have ended, are rows of the table of the outbox.
package store
