// Package faultdb is a DynamoDB client for tests: it counts the calls that pass through
// it, fails those it is told to, and runs a hook before or after a chosen call, which
// puts two decisions of a race in order.
//
// It wraps an engine in this process and fails its raw calls (see raw.Store) as
// it fails those of the SDK. A call is known by the operation it stands for.
package faultdb
