// Package expr reads and evaluates DynamoDB's expressions: conditions, filters, key
// conditions, projections and updates. [Compile] refuses what DynamoDB refuses,
// with its texts; a [Program] then evaluates against items.
//
// A Program never changes the item it is given, but what it returns shares values
// with that item and with the request's values: treat attribute values as
// immutable once they are in use.
package expr
