// Package store stores communities in six DynamoDB tables, according to their design.
//
// Each method is one access pattern or one transaction, whose conditions restate the
// decision. What is not in the design, such as the messages a user has reacted to, is
// stored as rows of the outbox table.
package store
