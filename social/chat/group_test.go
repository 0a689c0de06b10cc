package chat_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

const texts = `messages { items { text authorUserId viewedStatus textTaggedUsers { tag } } }`

// System messages have new ids, so that two identical requests never leave the same state:
// these scenarios set Adds.

// chats 3.2, 3.2#1-5, 3.3, 3.6#1-3,9 and realtime 6#1,5-6: a new group has its members and
// the messages that say so, which each of them hears.
func TestCreateGroupChat(t *testing.T) {
	Run(t, []Scenario{
		{Name: "with a name and another", Adds: true, Given: Users("ana", "ben", "cleo", "dan").Block("cleo", "ana").ListenToChats("ana", "ben", "cleo"), As: "ana",
			Query: `mutation { createGroupChat(chatId: "g1", name: "us", userIds: ["{ben}", "{ben}", "{ana}", "{cleo}", "nobody"], messageId: "m1", messageText: "hi")
				{ chatType name usersCount messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED) ` + texts + ` } }`,
			Want: `{"createGroupChat":{"chatType":"GROUP","name":"us","usersCount":2,"messagesCount":3,"unviewed":2,"messages":{"items":[
				{"text":"@ana created the group \"us\"","authorUserId":null,"viewedStatus":"NOT_VIEWED","textTaggedUsers":[{"tag":"@ana"}]},
				{"text":"@ana added @ben to the group","authorUserId":null,"viewedStatus":"NOT_VIEWED","textTaggedUsers":[{"tag":"@ana"},{"tag":"@ben"}]},
				{"text":"hi","authorUserId":"{ana}","viewedStatus":"VIEWED","textTaggedUsers":[]}]}}}`,
			Counts: Counts{"ana.chatCount": 1, "ben.chatCount": 1, "ana.chatsWithUnviewedMessagesCount": 1, "ben.chatsWithUnviewedMessagesCount": 1,
				"ana.cardCount": 1, "ben.cardCount": 1, "ana.chatMessagesCreationCount": 1, "g1.userCount": 2, "g1.messagesCount": 3,
				"g1 member/ana.messagesUnviewedCount": 2, "g1 member/ben.messagesUnviewedCount": 2},
			Hears: Hears{
				"ana": {heard("@ana created the group \\\"us\\\""), heard("@ana added @ben to the group")},
				"ben": {
					heard("@ana added @ben to the group"),
					`{"onChatMessageNotification":{"type":"ADDED","message":{"text":"hi","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"g1"}}}}`,
				},
			}},
		{Name: "alone and without a name", Adds: true, Given: Users("ana"), As: "ana",
			Query: `mutation { createGroupChat(chatId: "g1", userIds: [], messageId: "m1", messageText: "hi") { name usersCount messages { items { text } } } }`,
			Want:  `{"createGroupChat":{"name":null,"usersCount":1,"messages":{"items":[{"text":"@ana created the group"},{"text":"hi"}]}}}`},
		{Name: "an id in use", Given: Users("ana", "ben").Group("ana", "ben", "g1", "m0"), As: "ben",
			Query: `mutation { createGroupChat(chatId: "g1", userIds: [], messageId: "m1", messageText: "hi") { chatId } }`,
			Error: "ClientError: Unable to add chat with id `g1`... id already used?"},
	})
}

// chats 3.6#9: a system message mentions the user whom it tells of, also if they are renamed before
// it is stored, and whomever the name of the group mentions.
func TestSystemMessagesMentionTheirUser(t *testing.T) {
	const create = `mutation { createGroupChat(chatId: "g1", name: "%s", userIds: [], messageId: "m1", messageText: "hi") {
		messages(limit: 1) { items { text textTaggedUsers { tag user { userId } } } } } }`
	const ana, ben = `{"tag":"@ana","user":{"userId":"{ana}"}}`, `{"tag":"@ben","user":{"userId":"{ben}"}}`
	for name, tags := range map[string]string{"us": ana, "@ben and @ana": ana + "," + ben, "of @ben": ana + "," + ben} {
		Test(t, Users("ana", "ben"), func(w *World) {
			renamed := w.Client.Arm(faultdb.Before("", 2, func() { w.Must("ana", `mutation { setUserDetails(username: "nina") { userId } }`) }))
			query := fmt.Sprintf(create, name)
			a := w.Ask("ana", query)
			if !renamed() {
				w.T.Error("she is renamed too late")
			}
			w.Compare(query, a.Data, fmt.Sprintf(`{"createGroupChat":{"messages":{"items":[{"text":"@ana created the group \"%s\"","textTaggedUsers":[%s]}]}}}`, name, tags))
		})
	}
}

func heard(text string) string {
	return `{"onChatMessageNotification":{"type":"ADDED","message":{"text":"` + text + `","authorUserId":null,"author":null,"chat":{"chatId":"g1"}}}}`
}

// chats 3.3#1-2 and 3.4#1-7: members add others, rename the group and leave it.
func TestGroups(t *testing.T) {
	given := Users("ana", "ben", "cleo").Group("ana", "ben", "g1", "m1").DirectChat("ana", "ben", "c1", "m2")
	const newest = `messages(reverse: true, limit: 1) { items { text } }`
	Run(t, []Scenario{
		{
			Name:  "another joins",
			Adds:  true,
			Given: given,
			As:    "ben",
			Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}", "{ana}"]) { usersCount messagesCount ` + newest + ` } }`,
			Want:  `{"addToGroupChat":{"usersCount":3,"messagesCount":4,"messages":{"items":[{"text":"@ben added @cleo to the group"}]}}}`,
		},
		{Name: "nobody joins", Given: given, As: "ben", Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{ana}", "nobody"]) { usersCount messagesCount } }`,
			Want: `{"addToGroupChat":{"usersCount":2,"messagesCount":3}}`, Counts: Counts{}},
		{Name: "a name", Adds: true, Given: given, As: "ben", Query: `mutation { editGroupChat(chatId: "g1", name: "us") { name ` + newest + ` } }`,
			Want: `{"editGroupChat":{"name":"us","messages":{"items":[{"text":"@ben changed the name of the group to \"us\""}]}}}`,
			Then: []Scenario{{Adds: true, As: "ana", Query: `mutation { editGroupChat(chatId: "g1", name: "") { name ` + newest + ` } }`,
				Want: `{"editGroupChat":{"name":null,"messages":{"items":[{"text":"@ana deleted the name of the group"}]}}}`}}},
		{
			Name:  "leaving, and the last one leaves",
			Adds:  true,
			Given: given,
			As:    "ana",
			Query: `mutation { leaveGroupChat(chatId: "g1") { usersCount users { items { username } } ` + newest + ` } }`,
			Want:  `{"leaveGroupChat":{"usersCount":1,"users":{"items":[{"username":"ben"}]},"messages":{"items":[{"text":"@ana left the group"}]}}}`,
			Then: []Scenario{
				{As: "ana", Query: `{ chat(chatId: "g1") { chatId } }`, Want: `{"chat":null}`},
				{As: "ana", Query: `mutation { leaveGroupChat(chatId: "g1") { chatId } }`, Error: "ClientError: User `{ana}` is not a member of chat `g1`"},
				{As: "ana", Query: `mutation { editChatMessage(messageId: "m1", text: "x") { text chat { chatId flagStatus users { items { username } } } } }`,
					Want: `{"editChatMessage":{"text":"x","chat":{"chatId":"g1","flagStatus":"NOT_FLAGGED","users":{"items":[]}}}}`},
				{As: "ben", Query: `mutation { leaveGroupChat(chatId: "g1") { usersCount } }`, Want: `{"leaveGroupChat":{"usersCount":0}}`},
				{As: "ben", Query: `{ self { chatCount } }`, Want: `{"self":{"chatCount":1}}`},
			},
		},
		{
			Name:  "direct: add",
			Given: given,
			As:    "ana",
			Query: `mutation { addToGroupChat(chatId: "c1", userIds: ["{cleo}"]) { chatId } }`,
			Error: "ClientError: Cannot add users to non-GROUP chat `c1`",
		},
		{
			Name:  "direct: edit",
			Given: given,
			As:    "ana",
			Query: `mutation { editGroupChat(chatId: "c1", name: "x") { chatId } }`,
			Error: "ClientError: Cannot edit non-GROUP chat `c1`",
		},
		{Name: "direct: leave", Given: given, As: "ana", Query: `mutation { leaveGroupChat(chatId: "c1") { chatId } }`, Error: "ClientError: Cannot leave non-GROUP chat `c1`"},
		{
			Name:  "a stranger adds",
			Given: given,
			As:    "cleo",
			Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}"]) { chatId } }`,
			Error: "ClientError: User `{cleo}` is not a member of chat `g1`",
		},
		{
			Name:  "a stranger edits",
			Given: given,
			As:    "cleo",
			Query: `mutation { editGroupChat(chatId: "g1", name: "x") { chatId } }`,
			Error: "ClientError: User `{cleo}` is not a member of chat `g1`",
		},
	})
}
