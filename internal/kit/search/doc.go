// Package search finds documents by their words: whole words, and prefixes in the case of
// the last one.
//
// Each word of a document is a row of its own, which changes in the transaction that
// changes the document. Results are therefore never outdated, any number of processes can
// search the same rows, and there is no further service to run. Each row contains all words
// of its document, so that any of them suffices for ranking.
//
// Writers must make changes conditional on the previous state of the document: Change
// removes the rows of the given previous state.
package search
