// Package store keeps the nouns of package stoa in a single-table design: every
// kind of item is declared once, with its keys, and each method is one access
// pattern or one transaction.
//
// The store states facts and restates decisions as conditions; it decides nothing.
// It answers with a refusal.Conflict when what a decision was made on no longer holds.
package store
