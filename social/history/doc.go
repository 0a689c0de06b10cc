// Package history tests the social system with random histories: the real handler and a
// model of a few plain maps perform the same acts and must show the same to every user.
//
// Each area has a file with its acts, its part of the model, what the model shows to whom,
// and what its rows look like.
package history
