// Package auth authenticates requests by their tokens.
//
// Every refusal is a *refusal.Error of kind refusal.Forbidden with a text that clients
// know. Any other error means that keys could not be read, which is not the caller's fault.
// A verified token remains valid until it expires or is revoked (see Versions): retiring a
// key does not affect issued tokens.
package auth
