package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

func commentKey(id social.CommentID) keyspec.Key { return comments.Key(string(id)) }

func (i *commentItem) comment() *social.Comment { return &i.Comment }

func commentItemOf(c *social.Comment) commentItem {
	item := commentItem{*c}
	item.TextTags = storedTags(c.Text, c.TextTags)
	return item
}
