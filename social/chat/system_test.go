package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// Texts and recipients of system messages:
// chats 3.6#1-8, 3.6#11-12.
func TestSystemMessages(t *testing.T) {
	five := Users("ana", "ben", "cleo", "dan", "eve")
	given := five.Group("ana", "ben", "g1", "m1").ListenToChats("ana", "ben", "cleo", "dan")
	all := func(text string, names ...string) Hears {
		h := Hears{}
		for _, name := range names {
			h[name] = []string{heard(strings.ReplaceAll(text, `"`, `\"`))}
		}
		return h
	}
	const newest = `messages(reverse: true, limit: 1) { items { text textTaggedUsers { tag } } } messagesCount`
	said := func(mutation, text, tags string) string {
		quoted, _ := json.Marshal(text)
		return fmt.Sprintf(`{%q:{"messages":{"items":[{"text":%s,"textTaggedUsers":[%s]}]},"messagesCount":4}}`, mutation, quoted, tags)
	}
	Run(t, []Scenario{
		{Name: "one joins", Adds: true, Given: given, As: "ben", Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}"]) { ` + newest + ` } }`,
			Want:  said("addToGroupChat", "@ben added @cleo to the group", `{"tag":"@ben"},{"tag":"@cleo"}`),
			Hears: all("@ben added @cleo to the group", "ana", "ben", "cleo")},
		{Name: "two join", Adds: true, Given: given, As: "ben", Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}", "{dan}"]) { ` + newest + ` } }`,
			Want:  said("addToGroupChat", "@ben added @cleo and @dan to the group", `{"tag":"@ben"},{"tag":"@cleo"},{"tag":"@dan"}`),
			Hears: all("@ben added @cleo and @dan to the group", "ana", "ben", "cleo", "dan")},
		{Name: "three join", Adds: true, Given: given, As: "ben", Query: `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}", "{dan}", "{eve}"]) { ` + newest + ` } }`,
			Want:  said("addToGroupChat", "@ben added @cleo, @dan and @eve to the group", `{"tag":"@ben"},{"tag":"@cleo"},{"tag":"@dan"},{"tag":"@eve"}`),
			Hears: all("@ben added @cleo, @dan and @eve to the group", "ana", "ben", "cleo", "dan")},
		{Name: "one leaves", Adds: true, Given: given, As: "ana", Query: `mutation { leaveGroupChat(chatId: "g1") { ` + newest + ` } }`,
			Want: said("leaveGroupChat", "@ana left the group", `{"tag":"@ana"}`), Hears: all("@ana left the group", "ben")},
		{Name: "a name, which mentions", Adds: true, Given: given, As: "ben", Query: `mutation { editGroupChat(chatId: "g1", name: "fans of @cleo") { ` + newest + ` } }`,
			Want:  said("editGroupChat", `@ben changed the name of the group to "fans of @cleo"`, `{"tag":"@ben"},{"tag":"@cleo"}`),
			Hears: all(`@ben changed the name of the group to "fans of @cleo"`, "ana", "ben")},
		{Name: "the name that it has", Adds: true, Given: given.Does("ana", `mutation { editGroupChat(chatId: "g1", name: "n") { name } }`), As: "ben",
			Query: `mutation { editGroupChat(chatId: "g1", name: "n") { name } }`, Hears: all(`@ben changed the name of the group to "n"`, "ana", "ben")},
		{Name: "no name", Adds: true, Given: given, As: "ben", Query: `mutation { editGroupChat(chatId: "g1", name: "") { ` + newest + ` } }`,
			Want: said("editGroupChat", `@ben deleted the name of the group`, `{"tag":"@ben"}`), Hears: all(`@ben deleted the name of the group`, "ana", "ben")},
		{
			Name:  "a group without a name and without others",
			Adds:  true,
			Given: five.ListenToChats("ana"),
			As:    "ana",
			Query: `mutation { createGroupChat(chatId: "g1", userIds: [], messageId: "m1", messageText: "x") { messagesCount } }`,
			Want:  `{"createGroupChat":{"messagesCount":2}}`,
			Hears: all("@ana created the group", "ana"),
		},
		{
			Name:  "a name that is empty",
			Adds:  true,
			Given: five.ListenToChats("ana"),
			As:    "ana",
			Query: `mutation { createGroupChat(chatId: "g1", name: "", userIds: ["{ana}"], messageId: "m1", messageText: "x") { name messagesCount } }`,
			Want:  `{"createGroupChat":{"name":null,"messagesCount":2}}`,
			Hears: all("@ana created the group", "ana"),
		},
	})
}

// Former members and non-members get no notifications of a chat, and cannot do anything in
// it.
func TestChatsOfOthersAreClosed(t *testing.T) {
	given := Users(
		"ana",
		"ben",
		"cleo",
		"eve",
	).Does("ana", `mutation { createGroupChat(chatId: "g1", userIds: ["{ben}", "{cleo}"], messageId: "m1", messageText: "x") { chatId } }`).
		Does("ben", `mutation { leaveGroupChat(chatId: "g1") { chatId } }`).
		ListenToChats("ana", "ben", "cleo", "eve").
		Listen("ben", "eve")
	const say = `{"onChatMessageNotification":{"type":"ADDED","message":{"text":"y","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"g1"}}}}`
	var closed []Scenario
	for _, name := range []string{"ben", "eve"} {
		for mutation, refused := range map[string]string{
			`addChatMessage(chatId: "g1", messageId: "m9", text: "x") { text }`: "User `{%s}` is not a member of chat `g1`",
			`addToGroupChat(chatId: "g1", userIds: ["{%s}"]) { chatId }`:        "User `{%s}` is not a member of chat `g1`",
			`editGroupChat(chatId: "g1", name: "x") { chatId }`:                 "User `{%s}` is not a member of chat `g1`",
			`leaveGroupChat(chatId: "g1") { chatId }`:                           "User `{%s}` is not a member of chat `g1`",
			`flagChat(chatId: "g1") { chatId }`:                                 "User is not part of chat `g1`",
			`flagChatMessage(messageId: "m1") { text }`:                         "User is not part of chat of message `m1`",
			`editChatMessage(messageId: "m1", text: "x") { text }`:              "User `{%s}` cannot edit message `m1`",
			`deleteChatMessage(messageId: "m1") { text }`:                       "User `{%s}` cannot delete message `m1`",
		} {
			closed = append(closed, Scenario{As: name, Query: "mutation { " + strings.ReplaceAll(mutation, "%s", name) + " }",
				Error: "ClientError: " + strings.ReplaceAll(refused, "%s", name), Hears: Hears{}})
		}
		closed = append(
			closed,
			Scenario{
				As:    name,
				Query: `{ chat(chatId: "g1") { chatId } self { chatCount chats { items { chatId } } } }`,
				Want:  `{"chat":null,"self":{"chatCount":0,"chats":{"items":[]}}}`,
			},
		)
	}
	Run(
		t,
		[]Scenario{
			{Name: "to who has left and who was never there", Given: given, As: "ana", Query: `mutation { addChatMessage(chatId: "g1", messageId: "m2", text: "y") { text } }`,
				Hears: Hears{"cleo": {say}}, Then: closed},
		},
	)
}

// chats 3.6#9-10, 3.6#13-14: a system message has an ordinary id and no author, and cannot
// be changed. It is unviewed for all members, including the one who caused it.
func TestSystemMessagesAreOfNobody(t *testing.T) {
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	Test(t, Users("ana", "ben").Group("ana", "ben", "g1", "m1"), func(w *World) {
		var answer struct {
			Chat struct {
				Messages struct {
					Items []struct{ MessageID, ViewedStatus, AuthorUserID string }
				}
			}
		}
		const ask = `{ chat(chatId: "g1") { messages(limit: 2) { items { messageId viewedStatus authorUserId } } } }`
		for _, name := range []string{"ana", "ben"} {
			if err := json.Unmarshal(w.Must(name, ask).Data, &answer); err != nil {
				w.T.Fatal(err)
			}
			for _, m := range answer.Chat.Messages.Items {
				if !uuid.MatchString(m.MessageID) || m.ViewedStatus != "NOT_VIEWED" || m.AuthorUserID != "" {
					w.T.Errorf("%s sees %+v", name, m)
				}
			}
			id := answer.Chat.Messages.Items[0].MessageID
			for mutation, want := range map[string]string{
				`editChatMessage(messageId: %q, text: "x") { text }`: "ClientError: User `{%s}` cannot edit message `%s`",
				`deleteChatMessage(messageId: %q) { text }`:          "ClientError: User `{%s}` cannot delete message `%s`",
				`flagChatMessage(messageId: %q) { text }`:            "ClientError: Cannot flag system chat message",
			} {
				if strings.Contains(want, "%s") {
					want = fmt.Sprintf(want, name, id)
				}
				w.Play(Scenario{As: name, Query: "mutation { " + fmt.Sprintf(mutation, id) + " }", Error: want})
			}
		}
		w.Play(Scenario{As: "ana", Query: `{ chat(chatId: "g1") { all: messagesCount new: messagesCount(viewedStatus: NOT_VIEWED) } self { chatsWithUnviewedMessagesCount } }`,
			Want: `{"chat":{"all":3,"new":2},"self":{"chatsWithUnviewedMessagesCount":1}}`})
		w.Play(
			Scenario{As: "ana", Query: `mutation { reportChatViews(chatIds: ["g1"]) }`, Counts: Counts{"ana.chatsWithUnviewedMessagesCount": -1, "ana.cardCount": -1}, Adds: true},
		)
		w.Play(Scenario{As: "ana", Query: `{ chat(chatId: "g1") { messages { items { viewedStatus } } } }`,
			Want: `{"chat":{"messages":{"items":[{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"}]}}}`})
	})
}
