// Package auth turns the token of a request into the user who sent it.
//
// Every refusal is a *refusal.Error of kind refusal.Forbidden whose text clients know; any
// other error means that keys could not be read, which is no fault of the caller.
// A token that passed stays good until it expires or is ended, see Versions: retiring a
// key does not reach tokens that are already out.
package auth
