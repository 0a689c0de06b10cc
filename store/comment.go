package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

var comments = keyspec.Define[social.Comment](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("comment/{commentId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("comment/{postId}", "{commentedAt}"),
		A2: keyspec.K("comment/{userId}", "{commentedAt}"),
	},
})

func commentKey(id social.CommentID) keyspec.Key { return comments.Key(string(id)) }

// storedComment returns a comment as it is stored.
func storedComment(c *social.Comment) social.Comment {
	item := *c
	item.TextTags = storedTags(c.Text, c.TextTags)
	return item
}
