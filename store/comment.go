package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

var comments = keyspec.Define[commentItem](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("comment/{commentId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("comment/{postId}", "{commentedAt}"),
		A2: keyspec.K("comment/{userId}", "{commentedAt}"),
	},
})

type commentItem struct{ social.Comment }
