// Package history tests the social system by what users do in an order drawn at random:
// the real handler and a model of a few plain maps do the same and must show everybody
// the same.
//
// Each area has a file with its acts, its part of the model, what of it is shown to
// whom, and how its rows look.
package history
