package chat_test

import (
	"testing"
	"time"

	. "stoa/social/socialtest"
)

const open = `mutation { createDirectChat(chatId: "c1", userId: "{ben}", messageId: "m1", messageText: "hi @cleo") {
	chatId chatType name usersCount userCount messagesCount messageCount flagStatus unviewed: messagesCount(viewedStatus: NOT_VIEWED)
	users { items { username } } messages { items { messageId text viewedStatus flagStatus lastEditedAt authorUserId author { username } ` +
	`textTaggedUsers { tag user { username } } } } } }`

// chats 0.2#2, 0.4#2,5, 2#1,13,16,18,21-24, 3.1#1-6,8, 3.5#1,3, 3.11#4,7-8 and realtime
// 4#3: the checks of a direct chat, in their order; the chat, its first message and its
// last activity have the same time.
func TestCreateDirectChat(t *testing.T) {
	Run(t, []Scenario{
		{Name: "both have it", Given: Users("ana", "ben", "cleo").ListenToChats("ana", "ben").Listen("ben"), As: "ana", Query: open,
			Want: `{"createDirectChat":{"chatId":"c1","chatType":"DIRECT","name":null,"usersCount":2,"userCount":2,"messagesCount":1,"messageCount":1,` +
				`"flagStatus":"NOT_FLAGGED","unviewed":0,
				"users":{"items":[{"username":"ben"},{"username":"ana"}]},
				"messages":{"items":[{"messageId":"m1","text":"hi @cleo","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","lastEditedAt":null,"authorUserId":"{ana}",` +
				`"author":{"username":"ana"},"textTaggedUsers":[{"tag":"@cleo","user":{"username":"cleo"}}]}]}}}`,
			Counts: Counts{"ana.chatCount": 1, "ben.chatCount": 1, "ben.chatsWithUnviewedMessagesCount": 1, "ana.chatMessagesCreationCount": 1, "ben.cardCount": 1,
				"c1.userCount": 2, "c1.messagesCount": 1, "c1 member/ben.messagesUnviewedCount": 1},
			Hears: Hears{"ben": {
				`{"onChatMessageNotification":{"type":"ADDED","message":{"text":"hi @cleo","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"c1"}}}}`,
				`{"onNotification":{"type":"USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED"}}`,
			}},
			Then: []Scenario{
				{
					As: "ben",
					Query: `{ self { chatCount chatsWithUnviewedMessagesCount chats { items { chatId messagesCount(viewedStatus: NOT_VIEWED) viewed: messagesCount(viewedStatus: ` +
						`VIEWED) messages { items { viewedStatus chat { chatId flagStatus } } } } } }
					user(userId: "{ana}") { chatCount chatsWithUnviewedMessagesCount chats { items { chatId } } directChat { chatId } } mine: user(userId: "{ben}") { directChat { chatId } } }`,
					Want: `{"self":{"chatCount":1,"chatsWithUnviewedMessagesCount":1,"chats":{"items":[{"chatId":"c1","messagesCount":1,"viewed":0,` +
						`"messages":{"items":[{"viewedStatus":"NOT_VIEWED","chat":{"chatId":"c1","flagStatus":"NOT_FLAGGED"}}]}}]}},
						"user":{"chatCount":null,"chatsWithUnviewedMessagesCount":null,"chats":null,"directChat":{"chatId":"c1"}},"mine":{"directChat":null}}`,
				},
				{As: "cleo", Query: `{ chat(chatId: "c1") { chatId } none: chat(chatId: "c/2") { chatId } user(userId: "{ana}") { directChat { chatId } } }`,
					Want: `{"chat":null,"none":null,"user":{"directChat":null}}`},
				{As: "ben", Query: `mutation { createDirectChat(chatId: "c2", userId: "{ana}", messageId: "m2", messageText: "x") { chatId } }`,
					Error: "ClientError: Chat already exists between user `{ben}` and user `{ana}`"},
				{As: "ben", Query: `mutation { createDirectChat(chatId: "c1", userId: "{cleo}", messageId: "m2", messageText: "x") { chatId } }`,
					Error: "ClientError: Unable to add chat with id `c1`... id already used?"},
				{As: "ana", Query: `{ chat(chatId: "c1") { users(limit: 101) { items { username } } } }`, Want: `{"chat":null}`,
					Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
				{As: "ana", Query: `{ chat(chatId: "c1") { users(excludeUserId: "{ben}") { items { username } } } }`, Want: `{"chat":{"users":{"items":[{"username":"ana"}]}}}`},
			}},
		{Name: "nobody", Given: Users("ana"), As: "ana", Query: open, Error: "ClientError: User `{ben}` does not exist"},
		{Name: "oneself", Given: Users("ben"), As: "ben", Query: open, Error: "ClientError: User `{ben}` cannot open direct chat with themselves"},
		{
			Name:  "a blocked user",
			Given: Users("ana", "ben").Block("ana", "ben"),
			As:    "ana",
			Query: open,
			Error: "ClientError: User `{ana}` has blocked user `{ben}`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "both block: the caller's comes first",
			Given: Users("ana", "ben").Block("ben", "ana").Block("ana", "ben"),
			As:    "ana",
			Query: open,
			Error: "ClientError: User `{ana}` has blocked user `{ben}`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "somebody disabled",
			Given: Users("ana", "ben").Status("ben", "DISABLED"),
			As:    "ana",
			Query: open,
			Error: "ClientError: Cannot open direct chat with user with status `DISABLED`",
		},
		{Name: "somebody disabled with whom there is one", Given: Users("ana", "ben").DirectChat("ana", "ben", "c0", "m0").Status("ben", "DISABLED"), As: "ana", Query: open,
			Error: "ClientError: Chat already exists between user `{ana}` and user `{ben}`"},
		{
			Name:  "one time for all",
			Given: Users("ana", "ben"),
			As:    "ana",
			Query: `mutation { createDirectChat(chatId: "c1", userId: "{ben}", messageId: "m1", messageText: "x") { createdAt lastMessageActivityAt messages { items { createdAt } } } }`,
			Want: `{"createDirectChat":{"createdAt":"2026-01-01T12:00:03.000Z","lastMessageActivityAt":"2026-01-01T12:00:03.000Z",` +
				`"messages":{"items":[{"createdAt":"2026-01-01T12:00:03.000Z"}]}}}`,
		},
		{
			Name:  "a blocker",
			Given: Users("ana", "ben").Block("ben", "ana"),
			As:    "ana",
			Query: open,
			Error: "ClientError: User `{ana}` has been blocked by `{ben}`",
			Code:  "FORBIDDEN",
		},
	})
}

// chats 3.11#3,5, 4.2#1-2, 4.5 and realtime 3#8, 4#10, 6#1,4: members add messages, which
// count and notify all others.
func TestAddChatMessage(t *testing.T) {
	const say = `mutation { addChatMessage(chatId: "c1", messageId: "m2", text: "so") { messageId text viewedStatus chat { chatId messagesCount } author { username } } }`
	given := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{Name: "counts for the other, once as a chat", Given: given.ListenToChats("ana", "ben").Listen("ana", "ben"), As: "ana", Query: say,
			Want:   `{"addChatMessage":{"messageId":"m2","text":"so","viewedStatus":"VIEWED","chat":{"chatId":"c1","messagesCount":2},"author":{"username":"ana"}}}`,
			Counts: Counts{"c1.messagesCount": 1, "c1 member/ben.messagesUnviewedCount": 1, "ana.chatMessagesCreationCount": 1},
			Hears: Hears{
				"ben": {`{"onChatMessageNotification":{"type":"ADDED","message":{"text":"so","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"c1"}}}}`},
			},
			Then: []Scenario{
				{
					As: "ben",
					Query: `{ chat(chatId: "c1") { unviewed: messagesCount(viewedStatus: NOT_VIEWED) messages { items { messageId } } ` +
						`newest: messages(reverse: true, limit: 1) { items { messageId } } } }`,
					Want: `{"chat":{"unviewed":2,"messages":{"items":[{"messageId":"m1"},{"messageId":"m2"}]},"newest":{"items":[{"messageId":"m2"}]}}}`,
				},
				{As: "ben", Query: say, Error: "ClientError: Unable to add message... id already used?"},
			}},
		{Name: "a stranger", Given: given, As: "cleo", Query: say, Error: "ClientError: User `{cleo}` is not a member of chat `c1`"},
		{Name: "no such chat", Given: Users("ana"), As: "ana", Query: say, Error: "ClientError: User `{ana}` is not a member of chat `c1`"},
	})
}

// chats 0.4#3, 3.11#1, 4.4: the chat with the newest message is first, and messages keep
// their order with a stopped clock.
func TestChatsComeInOrderOfActivity(t *testing.T) {
	given := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1").And(later).DirectChat("ana", "cleo", "c2", "m2")
	Run(t, []Scenario{{
		Name: "by the newest message", Given: given.And(later).Say("ben", "c1", "m3").Say("ana", "c1", "a4").Say("ben", "c1", "m0"), As: "ana",
		Query: `{ self { chats { items { chatId messages { items { messageId } } } } } }`,
		Want: `{"self":{"chats":{"items":[{"chatId":"c1","messages":{"items":[{"messageId":"m1"},{"messageId":"m3"},{"messageId":"a4"},{"messageId":"m0"}]}},` +
			`{"chatId":"c2","messages":{"items":[{"messageId":"m2"}]}}]}}}`,
	}})
}

func later(w *World) { w.Advance(time.Second) }
