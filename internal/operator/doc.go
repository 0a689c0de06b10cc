// Package operator has the API of those who run a service: who has a role, what they may do,
// and the audit log of what they did.
//
// It knows the systems of a service only through interfaces. Every mutation writes one line
// of the audit log in the transaction of its change.
package operator
