package stoa

import (
	"errors"
	"regexp"
)

var clientIDForm = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// ErrTaken is a store's answer that the id, or the name, of something new is in use.
// Whoever asked for it knows how to say so.
var ErrTaken = errors.New("taken")

// Check refuses an id that no new post can have.
func (id PostID) Check() error { return checkClientID("postId", string(id)) }

// Check refuses an id that no new comment can have.
func (id CommentID) Check() error { return checkClientID("commentId", string(id)) }

func checkClientID(argument, id string) error {
	if clientIDForm.MatchString(id) {
		return nil
	}
	return Refuse("%s must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID", argument)
}
