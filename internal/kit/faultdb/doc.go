// Package faultdb is a DynamoDB client for tests. It counts the calls made through it,
// injects failures, and runs hooks before or after chosen calls, which determines the order
// of racing decisions.
//
// It wraps an engine in this process, and treats raw calls (see raw.Store) like the SDK's:
// a call is identified by its equivalent SDK operation.
package faultdb
