package chat_test

import (
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// chats 0.3#4, 4.3#1, 4.5 and realtime 6#2: only the author edits a message, and others
// hear of it.
func TestEditChatMessage(t *testing.T) {
	const edit = `mutation { editChatMessage(messageId: "m1", text: "now @ben") { text lastEditedAt viewedStatus textTaggedUsers { tag } chat { chatId messagesCount } } }`
	given := Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{
			Name:   "by its author",
			Given:  given.ListenToChats("ana", "ben"),
			As:     "ana",
			Query:  `mutation { editChatMessage(messageId: "m1", text: "now @ben") { text viewedStatus textTaggedUsers { tag } chat { chatId messagesCount } } }`,
			Want:   `{"editChatMessage":{"text":"now @ben","viewedStatus":"VIEWED","textTaggedUsers":[{"tag":"@ben"}],"chat":{"chatId":"c1","messagesCount":1}}}`,
			Counts: Counts{},
			Hears: Hears{
				"ben": {`{"onChatMessageNotification":{"type":"EDITED","message":{"text":"now @ben","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"c1"}}}}`},
			},
		},
		{Name: "by the other", Given: given, As: "ben", Query: edit, Error: "ClientError: User `{ben}` cannot edit message `m1`"},
		{Name: "there is none", Given: Users("ana"), As: "ana", Query: edit, Error: "ClientError: User `{ana}` cannot edit message `m1`"},
	})
}

// chats 3.11#3,5-6,9, 4.3#2 and realtime 6#3: only the author deletes a message, which
// lowers the counts.
func TestDeleteChatMessage(t *testing.T) {
	const remove = `mutation { deleteChatMessage(messageId: "m1") { messageId text } }`
	given := Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{Name: "the only unviewed one", Given: given.ListenToChats("ana", "ben").Listen("ben"), As: "ana", Query: remove,
			Want: `{"deleteChatMessage":{"messageId":"m1","text":"text of m1"}}`,
			Counts: Counts{"c1.messagesCount": -1, "c1 member/ben.messagesUnviewedCount": -1, "ben.chatsWithUnviewedMessagesCount": -1, "ben.cardCount": -1,
				"ana.chatMessagesDeletionCount": 1},
			Hears: Hears{"ben": {
				`{"onChatMessageNotification":{"type":"DELETED","message":{"text":"text of m1","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"c1"}}}}`,
				`{"onNotification":{"type":"USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED"}}`,
			}},
			Then: []Scenario{{As: "ben", Query: `{ chat(chatId: "c1") { messages { items { messageId } } } self { chatsWithUnviewedMessagesCount } }`,
				Want: `{"chat":{"messages":{"items":[]}},"self":{"chatsWithUnviewedMessagesCount":0}}`}}},
		{Name: "one of several", Given: given.Say("ana", "c1", "m2"), As: "ana", Query: remove,
			Counts: Counts{"c1.messagesCount": -1, "c1 member/ben.messagesUnviewedCount": -1, "ana.chatMessagesDeletionCount": 1}},
		{Name: "one that was viewed", Given: given.ViewChat("ben", "c1"), As: "ana", Query: remove,
			Counts: Counts{"c1.messagesCount": -1, "ana.chatMessagesDeletionCount": 1}},
		{Name: "by the other", Given: given, As: "ben", Query: remove, Error: "ClientError: User `{ben}` cannot delete message `m1`"},
		{Name: "there is none", Given: Users("ana"), As: "ana", Query: remove, Error: "ClientError: User `{ana}` cannot delete message `m1`"},
	})
}

// chats 3.7#1-4 and 3.11#6: a view empties the count of unviewed messages.
func TestReportChatViews(t *testing.T) {
	given := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{Name: "clears what is unviewed", Given: given.Listen("ben"), As: "ben", Query: `mutation { reportChatViews(chatIds: ["c1", "none", "c/1"]) }`,
			Want:   `{"reportChatViews":true}`,
			Counts: Counts{"c1 member/ben.messagesUnviewedCount": -1, "ben.chatsWithUnviewedMessagesCount": -1, "ben.cardCount": -1, "c1 view/ben.viewCount": 1},
			Hears:  Hears{"ben": {`{"onNotification":{"type":"USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED"}}`}},
			Adds:   true,
			Then: []Scenario{
				{As: "ben", Query: `{ chat(chatId: "c1") { messagesCount(viewedStatus: VIEWED) messages { items { viewedStatus } } } }`,
					Want: `{"chat":{"messagesCount":1,"messages":{"items":[{"viewedStatus":"VIEWED"}]}}}`},
				{As: "ben", Query: `mutation { reportChatViews(chatIds: ["c1", "c1"]) }`, Counts: Counts{"c1 view/ben.viewCount": 2}, Adds: true},
			}},
		{
			Name:   "a stranger's view is left out",
			Given:  given,
			As:     "cleo",
			Query:  `mutation { reportChatViews(chatIds: ["c1"]) }`,
			Want:   `{"reportChatViews":true}`,
			Counts: Counts{},
		},
		{Name: "too many ids", Given: Users("ana"), As: "ana", Query: `mutation { reportChatViews(chatIds: [` + strings.Repeat(`"c1" `, 101) + `]) }`,
			Error: "ClientError: A max of 100 chat ids may be reported at a time"},
		{Name: "as many as may be, of one chat", Given: given, As: "ben", Query: `mutation { reportChatViews(chatIds: [` + strings.Repeat(`"c1" `, 100) + `]) }`,
			Counts: Counts{"c1 member/ben.messagesUnviewedCount": -1, "ben.chatsWithUnviewedMessagesCount": -1, "ben.cardCount": -1, "c1 view/ben.viewCount": 100}, Adds: true},
		{Name: "no ids", Given: Users("ana"), As: "ana", Query: `mutation { reportChatViews(chatIds: []) }`, Error: "ClientError: A minimum of 1 chat id must be reported"},
	})
}

// chats 0.5#1, 3.8 and 3.9#1: a block deletes the direct chat of the two users for both.
func TestBlocksEndDirectChats(t *testing.T) {
	for _, by := range []string{"ana", "ben"} {
		other := map[string]string{"ana": "ben", "ben": "ana"}[by]
		Run(t, []Scenario{{
			Name: by + " blocks", Given: Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1").Say("ben", "c1", "m2").Block(by, other), As: "ana",
			Query: `{ chat(chatId: "c1") { chatId } self { chatCount chatsWithUnviewedMessagesCount chats { items { chatId } } } user(userId: "{ben}") { directChat { chatId } } }`,
			Want:  `{"chat":null,"self":{"chatCount":0,"chatsWithUnviewedMessagesCount":0,"chats":{"items":[]}},"user":{"directChat":null}}`,
		}})
	}
}
