package chat_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// The response shows the message; the next request no longer finds it, and there is no
// notification.
// chats 0.5, 0.8#3, 3.6#15, 3.11#10, 4.8, 4.8#1-2
func TestBadWordsInMessages(t *testing.T) {
	const bad = `mutation { addChatMessage(chatId: "c1", messageId: "bad", text: "a UOIFZP8BJS here") { text } }`
	const look = `{ chat(chatId: "c1") { messagesCount messages { items { messageId } } } }`
	direct := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1").ViewChat("ben", "c1")
	forced := Counts{"c1.messagesCount": 0, "ana.chatMessagesCreationCount": 1, "ana.chatMessagesDeletionCount": 1, "ana.chatMessagesForcedDeletionCount": 1,
		"c1 member/ben.messagesUnviewedCount": 0, "ben.chatsWithUnviewedMessagesCount": 0}
	stays := Counts{"c1.messagesCount": 1, "ana.chatMessagesForcedDeletionCount": 0}
	group := Users("ana", "ben", "cleo").Does("ana", `mutation { createGroupChat(chatId: "c1", userIds: ["{ben}", "{cleo}"], messageId: "m1", messageText: "hello") { chatId } }`)
	Run(t, []Scenario{
		{Name: "between strangers", Adds: true, Given: direct, As: "ana", Query: bad, Want: `{"addChatMessage":{"text":"a UOIFZP8BJS here"}}`, Counts: forced,
			Then: []Scenario{{As: "ana", Query: look, Want: `{"chat":{"messagesCount":1,"messages":{"items":[{"messageId":"m1"}]}}}`}}},
		{Name: "between two of whom one follows", Adds: true, Given: direct.Follow("ben", "ana"), As: "ana", Query: bad, Counts: forced},
		{Name: "between friends", Given: direct.Follow("ben", "ana").Follow("ana", "ben"), As: "ana", Query: bad, Counts: stays},
		{Name: "in a group that follows", Given: group.Follow("ben", "ana").Follow("cleo", "ana"), As: "ana", Query: bad, Counts: stays},
		{
			Name:   "in a group of which one does not follow",
			Adds:   true,
			Given:  group.Follow("ben", "ana"),
			As:     "ana",
			Query:  bad,
			Counts: Counts{"c1.messagesCount": 0, "ana.chatMessagesForcedDeletionCount": 1},
		},
		{
			Name:   "in a group of one",
			Given:  Users("ana").Does("ana", `mutation { createGroupChat(chatId: "c1", userIds: [], messageId: "m1", messageText: "hello") { chatId } }`),
			As:     "ana",
			Query:  bad,
			Counts: stays,
		},
		{
			Name:   "edited into a message",
			Adds:   true,
			Given:  direct,
			As:     "ana",
			Query:  `mutation { editChatMessage(messageId: "m1", text: "uoiFZP8bjS") { text } }`,
			Want:   `{"editChatMessage":{"text":"uoiFZP8bjS"}}`,
			Counts: Counts{"c1.messagesCount": -1, "ana.chatMessagesDeletionCount": 1, "ana.chatMessagesForcedDeletionCount": 1},
			Then:   []Scenario{{As: "ben", Query: look, Want: `{"chat":{"messagesCount":0,"messages":{"items":[]}}}`}},
		},
		{
			Name:   "in the name of a group, of which the system tells",
			Adds:   true,
			Given:  group,
			As:     "ana",
			Query:  `mutation { editGroupChat(chatId: "c1", name: "uoiFZP8bjS") { name } }`,
			Counts: Counts{"c1.messagesCount": 1, "ana.chatMessagesForcedDeletionCount": 0},
		},
	})
}
