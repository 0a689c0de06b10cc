// Package wire decodes GraphQL requests and encodes responses, identically for all
// transports.
//
// Responses are appended to buffers owned by the caller. No function retains a slice it is
// given or returns one that aliases its input, so buffers can be pooled.
package wire
