// Package socialtest is the vocabulary in which tests of the social system say what is
// given, on the harness of package apptest. Each area adds its words in a file of its
// own, named after it.
//
// What a word says comes about through the API, as it does for clients. Rows are written
// past it only where there is no mutation for them, and the word says so.
package socialtest
