// Package arch checks the structure of a module: allowed imports of packages, package
// comments, formatted sources and marked generated ones.
//
// It checks packages as they are shipped. Imports of _test files are unrestricted, so that
// areas can be tested with the real store.
package arch
