// Package arch checks the shape of a module: which package may import which, that
// every package says what it promises, and that sources are formatted and
// generated ones marked.
//
// It looks at packages as they are shipped. Imports of _test files are free, or an
// area could not be tested against the real store.
package arch
