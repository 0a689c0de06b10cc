// Package engine is a database with DynamoDB's interface and rules inside the
// process, stored in a directory or in memory.
//
// An Engine has the methods of the AWS SDK's client, so it goes wherever
// guregu/dynamo takes one, with no HTTP, JSON or signing in between:
//
//	eng, err := engine.OpenMemory()
//	if err != nil { … }
//	defer eng.Close()
//	db := dynamo.NewFromIface(eng)
//
// A write is on disk before it is acknowledged, a transaction is applied whole
// or not at all, and indexes change together with their table. Limits, errors
// and their texts are DynamoDB's. What a caller gets wrong: the engine keeps no
// reference to what it is given, but what Visit methods show lives only as long as
// their callback runs. Package raw is another way in, for callers of this process.
package engine
