// Package raw is an interface for reading and writing items within the engine's process
// without the SDK's maps, whose construction costs more than finding and storing the items.
//
// It is unstable: it follows the storage format. Use DynamoDB's own interface wherever it
// suffices.
package raw
