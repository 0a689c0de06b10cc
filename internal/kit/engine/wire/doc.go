// Package wire speaks DynamoDB's protocol, JSON 1.0 over HTTP, for anything with
// the methods of the SDK's client. It refuses malformed requests with the service's
// texts, so that clients in other languages see what they would see there.
//
// A request has to be signed to be served, but no signature is ever checked: who
// can connect can do everything.
package wire
