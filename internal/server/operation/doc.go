// Package operation checks and runs GraphQL operations for every transport.
//
// A document is parsed, validated and weighed once and then found by its text. An
// Operation runs once: prepare another for the same request.
package operation
