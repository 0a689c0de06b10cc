// Package expr parses and evaluates DynamoDB's expressions: conditions, filters, key
// conditions, projections and updates. [Compile] refuses what DynamoDB refuses, with its
// error texts; a [Program] is then evaluated on items.
//
// A Program never modifies an item, but its results share values with that item and with
// the request: treat attribute values as immutable.
package expr
