package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A flag is stored under the flagged item. K1 lists a user's flags by kind.

var postFlags = keyspec.Define[postFlagItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "flag/{userId}"),
	On:  keyspec.Indexes{K1: keyspec.K("flag/{userId}", "post")},
})

type postFlagItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	flagItem
}

var commentFlags = keyspec.Define[commentFlagItem](Main, keyspec.Row{
	Key: keyspec.K("comment/{commentId}", "flag/{userId}"),
	On:  keyspec.Indexes{K1: keyspec.K("flag/{userId}", "comment")},
})

type commentFlagItem struct {
	CommentID social.CommentID `dynamo:"commentId,keyonly"`
	flagItem
}

var chatFlags = keyspec.Define[chatFlagItem](Main, keyspec.Row{
	Key: keyspec.K("chat/{chatId}", "flag/{userId}"),
	On:  keyspec.Indexes{K1: keyspec.K("flag/{userId}", "chat")},
})

type chatFlagItem struct {
	ChatID social.ChatID `dynamo:"chatId,keyonly"`
	flagItem
}

var chatMessageFlags = keyspec.Define[chatMessageFlagItem](Main, keyspec.Row{
	Key: keyspec.K("chatMessage/{messageId}", "flag/{userId}"),
	On:  keyspec.Indexes{K1: keyspec.K("flag/{userId}", "chatMessage")},
})

type chatMessageFlagItem struct {
	MessageID social.ChatMessageID `dynamo:"messageId,keyonly"`
	flagItem
}

// flagItem holds the attributes common to flags of all kinds.
type flagItem struct{ social.Flag }
