// Package operation validates and executes GraphQL operations for all transports.
//
// A document is parsed, validated and analysed once and then cached by its text. An
// Operation can be executed once: prepare another for the same request.
package operation
