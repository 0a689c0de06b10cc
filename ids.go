package stoa

import "regexp"

// UserID names an identity: `{region}:` and a lower-case version 4 UUID, for
// example us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f. The identity may exist
// without a profile.
type UserID string

// PostID names a post. Clients choose it, by custom a version 4 UUID.
type PostID string

// CommentID names a comment. Clients choose it, by custom a version 4 UUID.
type CommentID string

var userIDForm = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]+:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// Valid reports whether id has the form that identities are issued in. An id of
// any other form names nobody.
func (id UserID) Valid() bool { return userIDForm.MatchString(string(id)) }
