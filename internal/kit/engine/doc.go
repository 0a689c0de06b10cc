// Package engine is an in-process database with DynamoDB's interface and semantics,
// stored in a directory or in memory.
//
// An Engine has the methods of the AWS SDK's client, so guregu/dynamo can use it directly,
// without HTTP, JSON and signatures:
//
//	eng, err := engine.OpenMemory()
//	if err != nil { … }
//	defer eng.Close()
//	db := dynamo.NewFromIface(eng)
//
// Writes are on disk before they are acknowledged, transactions are atomic, and indexes
// change together with their table. Limits, errors and their texts are DynamoDB's. What a
// single member of a request must satisfy (that it is present, its length, its range, its
// names) is checked by package wire for clients, and up to callers in this process. The
// engine does not retain its arguments. Views passed to the callbacks of Visit methods
// are valid only until the callback returns. Package raw is an alternative interface for
// callers in this process.
package engine
