// Package store stores messaging in six DynamoDB tables, according to their design.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision. What is not in the design, such as sessions and revoked tokens, is stored as
// rows of the outbox table.
package store
