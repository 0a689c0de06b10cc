// Package wire turns bytes into GraphQL requests and answers into bytes, the same
// for every transport.
//
// Answers are appended to buffers the caller owns; nothing here keeps a slice it
// was given or returns one that aliases its input, so buffers can be pooled.
package wire
