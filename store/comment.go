package store

import (
	"stoa"
	"stoa/internal/kit/keyspec"
)

var comments = keyspec.Define[commentItem](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("comment/{commentId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("comment/{postId}", "{commentedAt}"),
		A2: keyspec.K("comment/{userId}", "{commentedAt}"),
	},
})

type commentItem struct {
	CommentID   stoa.CommentID `dynamo:"commentId"`
	PostID      stoa.PostID    `dynamo:"postId"`
	UserID      stoa.UserID    `dynamo:"userId"`
	CommentedAt keyspec.Stamp  `dynamo:"commentedAt"`
	Text        string         `dynamo:"text"`
	TextTags    []textTagItem  `dynamo:"textTags"`
	FlagCount   int            `dynamo:"flagCount"`
}
