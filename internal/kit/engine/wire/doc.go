// Package wire implements DynamoDB's protocol, JSON 1.0 over HTTP, for anything with the
// methods of the SDK's client. It refuses malformed requests with the service's texts, so
// that clients in other languages see no difference.
//
// Requests must be signed, but signatures are not verified: anybody who can connect has
// full access.
package wire
