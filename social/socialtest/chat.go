package socialtest

import "stoa/internal/apptest"

// DirectChat creates the direct chat of two users with a message.
func (g Given) DirectChat(by, with, id, messageID string) Given {
	return g.Does(by, `mutation { createDirectChat(chatId: %q, userId: "{%s}", messageId: %q, messageText: "text of %s") { chatId } }`,
		id, with, messageID, messageID)
}

// Say adds a message to a chat.
func (g Given) Say(by, id, messageID string) Given {
	return g.Does(by, `mutation { addChatMessage(chatId: %q, messageId: %q, text: "text of %s") { messageId } }`, id, messageID, messageID)
}

// ListenToChats subscribes users to messages in their chats.
func (g Given) ListenToChats(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onChatMessageNotification(userId: "{`+name+`}") {
			type message { text authorUserId author { username } chat { chatId } } } }`))
	}
	return g
}

// Group creates a group of two users with a message.
func (g Given) Group(by, with, id, messageID string) Given {
	return g.Does(by, `mutation { createGroupChat(chatId: %q, userIds: ["{%s}"], messageId: %q, messageText: "text of %s") { chatId } }`,
		id, with, messageID, messageID)
}

// ViewChat makes a user view a chat.
func (g Given) ViewChat(by, id string) Given {
	return g.Does(by, `mutation { reportChatViews(chatIds: [%q]) }`, id)
}
