// Package storetest opens stores for tests and counts their calls of the engine.
//
// Every store is new and is discarded with its test; nothing is shared, so tests may run in
// parallel.
package storetest
