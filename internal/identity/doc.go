// Package identity is the built-in token issuer: it signs users up, verifies passwords and
// codes, and issues the tokens that package auth accepts.
//
// An identity is not a profile: it determines who may sign in, and exists before, after and
// without the profile of the same user id. Only verified contacts are unique and valid for
// sign-in; any number of identities may claim a contact as pending without owning it.
package identity
