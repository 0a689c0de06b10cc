package chat_test

import (
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// chats 3.9#2, 3.5#2, 4.1#12 and realtime 6#7, 6#15: a block between members of a group
// removes neither. It hides the blocker from the blocked user, and the author in
// notifications between the two.
func TestBlocksInGroups(t *testing.T) {
	given := Users("ana", "ben", "cleo").Group("ana", "ben", "g1", "m1").Say("ben", "g1", "m2").Block("ana", "ben")
	const look = `{ chat(chatId: "g1") { usersCount users { items { username } } messages(reverse: true, limit: 2) { items { messageId authorUserId author { username } } } } }`
	const tags = `subscription { onChatMessageNotification(userId: "{ben}") { type message { textTaggedUsers { tag user { userId } } authorUserId author { username } } } }`
	hidden := func(by, text string) string {
		return `{"onChatMessageNotification":{"type":"ADDED","message":{"text":"` + text + `","authorUserId":"{` + by + `}","author":null,"chat":{"chatId":"g1"}}}}`
	}
	say := func(id string) string {
		return `mutation { addChatMessage(chatId: "g1", messageId: "` + id + `", text: "x") { author { username } } }`
	}
	Run(t, []Scenario{
		{Name: "the blocked sees no blocker", Given: given, As: "ben", Query: look,
			Want: `{"chat":{"usersCount":2,"users":{"items":[{"username":"ben"}]},"messages":{"items":[
				{"messageId":"m2","authorUserId":"{ben}","author":{"username":"ben"}},{"messageId":"m1","authorUserId":"{ana}","author":null}]}}}`},
		{Name: "the blocker sees everybody", Given: given, As: "ana", Query: look,
			Want: `{"chat":{"usersCount":2,"users":{"items":[{"username":"ben"},{"username":"ana"}]},"messages":{"items":[
				{"messageId":"m2","authorUserId":"{ben}","author":{"username":"ben"}},{"messageId":"m1","authorUserId":"{ana}","author":{"username":"ana"}}]}}}`},
		{Name: "the blocked goes on", Given: given.ListenToChats("ana", "ben"), As: "ben", Query: say("m3"),
			Want: `{"addChatMessage":{"author":{"username":"ben"}}}`, Hears: Hears{"ana": {hidden("ben", "x")}}},
		{Name: "the blocker goes on", Given: given.ListenToChats("ana", "ben"), As: "ana", Query: say("m3"),
			Want: `{"addChatMessage":{"author":{"username":"ana"}}}`, Hears: Hears{"ben": {hidden("ana", "x")}}},
		{Name: "mentions are told as they are, and shown as far as the viewer goes", Given: given.And(apptest.Listening("ben", tags)), As: "ana",
			Query: `mutation { addChatMessage(chatId: "g1", messageId: "m3", text: "@ana @ben") { textTaggedUsers { tag } } }`,
			Want:  `{"addChatMessage":{"textTaggedUsers":[{"tag":"@ana"},{"tag":"@ben"}]}}`,
			Hears: Hears{
				"ben": {
					`{"onChatMessageNotification":{"type":"ADDED","message":{"textTaggedUsers":[{"tag":"@ana","user":{"userId":"{ana}"}},` +
						`{"tag":"@ben","user":{"userId":"{ben}"}}],"authorUserId":"{ana}","author":null}}}`,
				},
			},
			Then: []Scenario{{As: "ben", Query: `{ chat(chatId: "g1") { messages(reverse: true, limit: 1) { items { textTaggedUsers { tag } } } } }`,
				Want: `{"chat":{"messages":{"items":[{"textTaggedUsers":[{"tag":"@ben"}]}]}}}`}}},
		// chats 3.3: blocks between other users do not matter.
		{Name: "both can be in a group of somebody else", Given: given, As: "cleo", Adds: true,
			Query: `mutation { createGroupChat(chatId: "g2", userIds: ["{ana}", "{ben}"], messageId: "n1", messageText: "x") { usersCount } }`,
			Want:  `{"createGroupChat":{"usersCount":3}}`},
		{Name: "neither brings the other in", Given: given, As: "ben", Adds: true,
			Query: `mutation { createGroupChat(chatId: "g2", userIds: ["{ana}"], messageId: "n1", messageText: "x") { usersCount messagesCount } }`,
			Want:  `{"createGroupChat":{"usersCount":1,"messagesCount":2}}`,
			Then: []Scenario{
				{
					As:    "ana",
					Adds:  true,
					Query: `mutation { createGroupChat(chatId: "g3", userIds: ["{ben}"], messageId: "n2", messageText: "x") { usersCount messagesCount } }`,
					Want:  `{"createGroupChat":{"usersCount":1,"messagesCount":2}}`,
				},
			}},
	})
}

// chats 3.1, 3.8: a direct chat is deleted with its rows and counters; unblocking does not
// restore it, but allows a new one.
func TestNothingIsLeftOfADirectChat(t *testing.T) {
	given := Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1").Say("ben", "c1", "m2").ViewChat("ana", "c1").Say("ben", "c1", "m3").ListenToChats("ana", "ben")
	Run(t, []Scenario{{
		Name: "with a block", Given: given, As: "ana", Query: `mutation { blockUser(userId: "{ben}") { userId } }`,
		Counts: Counts{"ana.chatCount": -1, "ben.chatCount": -1, "ana.chatsWithUnviewedMessagesCount": -1, "ben.chatsWithUnviewedMessagesCount": -1,
			"ana.cardCount": -1, "ben.cardCount": -1, "ana.chatMessagesDeletionCount": 1, "ben.chatMessagesDeletionCount": 2, "ana.chatMessagesForcedDeletionCount": 0},
		Hears: Hears{},
		Then: []Scenario{
			{As: "ana", Query: `mutation { unblockUser(userId: "{ben}") { directChat { chatId } } }`, Want: `{"unblockUser":{"directChat":null}}`},
			{
				As:    "ben",
				Query: `mutation { createDirectChat(chatId: "c1", userId: "{ana}", messageId: "m1", messageText: "again") { usersCount messages { items { text viewedStatus } } } }`,
				Want:  `{"createDirectChat":{"usersCount":2,"messages":{"items":[{"text":"again","viewedStatus":"VIEWED"}]}}}`,
			},
			{
				As:    "ana",
				Query: `{ chat(chatId: "c1") { flagStatus messages { items { viewedStatus } } } }`,
				Want:  `{"chat":{"flagStatus":"NOT_FLAGGED","messages":{"items":[{"viewedStatus":"NOT_VIEWED"}]}}}`,
			},
		},
	}})
}
