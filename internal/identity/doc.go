// Package identity is the built-in issuer: it signs people up, checks passwords and
// codes, and hands out tokens that package auth accepts.
//
// An identity is not a profile: it says who may sign in, and exists before, after
// and without the profile of the same user id. Only verified contacts are
// unique and sign in; anybody may claim an address they do not own as pending.
package identity
