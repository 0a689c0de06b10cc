package socialtest

// FlagPost makes a user flag a post.
func (g Given) FlagPost(flagger, postID string) Given {
	return g.Does(flagger, `mutation { flagPost(postId: %q) { postId } }`, postID)
}

// FlagComment makes a user flag a comment.
func (g Given) FlagComment(flagger, id string) Given {
	return g.Does(flagger, `mutation { flagComment(commentId: %q) { commentId } }`, id)
}

// FlagChat makes a member flag a chat.
func (g Given) FlagChat(flagger, id string) Given {
	return g.Does(flagger, `mutation { flagChat(chatId: %q) { chatId } }`, id)
}

// FlagMessage makes a member flag a message.
func (g Given) FlagMessage(flagger, id string) Given {
	return g.Does(flagger, `mutation { flagChatMessage(messageId: %q) { messageId } }`, id)
}
