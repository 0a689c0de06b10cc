// Package storetest opens stores for tests and counts what they ask of the engine.
//
// Every store is fresh and gone with its test; nothing is shared, so tests may run
// side by side.
package storetest
