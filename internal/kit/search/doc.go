// Package search finds documents by the words in them: whole words, and the beginning of
// the last one.
//
// Each word of a document is a row of its own, which changes in the transaction that
// changes the document. So an answer is never behind the store, any number of processes
// search the same rows, and there is nothing more to run. Each row holds all words of its
// document, so that any one of them tells how well the document matches.
//
// Writers must refuse to change a document that is no longer what they take it to be:
// Change removes the rows of the document as it was said to be before.
package search
