package social

import (
	"strings"

	"stoa/internal/kit/refusal"
)

// maxClientID is the maximum length of a client-chosen id, in bytes.
const maxClientID = 100

// clientIDChars are the characters allowed in a client-chosen id.
const clientIDChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-"

// Valid reports whether id can name a post. An id of any other form names none.
func (id PostID) Valid() bool { return validClientID(string(id)) }

// Valid reports whether id can name an album. An id of any other form names none.
func (id AlbumID) Valid() bool { return validClientID(string(id)) }

// Check refuses an id that no new album can have.
func (id AlbumID) Check() error {
	if id != "" && id[0] == '.' { // its art is stored in a directory of that name
		return refusal.Invalidf("albumId cannot begin with a dot: choose a version 4 UUID")
	}
	return checkClientID("albumId", string(id))
}

// Valid reports whether id can name a comment. An id of any other form names none.
func (id CommentID) Valid() bool { return validClientID(string(id)) }

// Check refuses an id that no new post can have.
func (id PostID) Check() error { return checkClientID("postId", string(id)) }

// Check refuses an id that no new comment can have.
func (id CommentID) Check() error { return checkClientID("commentId", string(id)) }

// Valid reports whether id can name a chat. An id of any other form names none.
func (id ChatID) Valid() bool { return validClientID(string(id)) }

// Valid reports whether id can name a message. An id of any other form names none.
func (id ChatMessageID) Valid() bool { return validClientID(string(id)) }

// Check refuses an id that no new chat can have.
func (id ChatID) Check() error { return checkClientID("chatId", string(id)) }

// Check refuses an id that no new message can have.
func (id ChatMessageID) Check() error { return checkClientID("messageId", string(id)) }

func validClientID(id string) bool {
	return id != "" && len(id) <= maxClientID && strings.IndexFunc(id, func(c rune) bool { return !strings.ContainsRune(clientIDChars, c) }) < 0
}

func checkClientID(argument, id string) error {
	if validClientID(id) {
		return nil
	}
	return refusal.Invalidf("%s must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID", argument)
}
