// Package socialtest provides the steps with which tests of the social system describe
// their initial state, based on the harness of package apptest. Each area adds its steps in
// a file named after it.
//
// Steps use the API, like clients. Rows are written to the store directly only if there is
// no mutation for it, and the step's comment says so.
package socialtest
