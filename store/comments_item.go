package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

func commentKey(id social.CommentID) keyspec.Key { return comments.Key(string(id)) }

func (i *commentItem) comment() *social.Comment {
	return &social.Comment{
		CommentID:   i.CommentID,
		PostID:      i.PostID,
		UserID:      i.UserID,
		CommentedAt: i.CommentedAt.Time(),
		Text:        i.Text,
		TextTags:    textTagsOf(i.TextTags),
		FlagCount:   i.FlagCount,
	}
}

func commentItemOf(c *social.Comment) commentItem {
	return commentItem{
		CommentID:   c.CommentID,
		PostID:      c.PostID,
		UserID:      c.UserID,
		CommentedAt: keyspec.StampOf(c.CommentedAt),
		Text:        c.Text,
		TextTags:    textTagItems(c.Text, c.TextTags),
	}
}
