// Package raw is the vocabulary of callers in the engine's own process that read
// and write items without the SDK's maps, whose making costs more than finding and
// storing the items.
//
// It is unstable: it follows what the engine stores, and changes with it. Whatever
// DynamoDB's own interface can say should be said there.
package raw
