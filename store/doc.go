// Package store persists the types of package social in a single-table design. Each kind of
// item is declared once, with its keys, and each method is one access pattern or one
// transaction.
//
// The store makes no decisions: it returns facts, and restates decisions as conditions. It
// returns refusal.ErrChanged, a Conflict, if the facts of a decision no longer hold.
package store
