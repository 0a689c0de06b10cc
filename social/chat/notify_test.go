package chat_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// realtime 3#9, 6#2-4, 6#10-14: notifications show a message as stored when they are sent.
func TestWhatIsToldOfAMessage(t *testing.T) {
	const whole = `subscription { onChatMessageNotification(userId: "{ben}") { userId type message { messageId text createdAt lastEditedAt
		chat { chatId } authorUserId author { userId username photo { url64p } } textTaggedUsers { tag user { userId } } } } }`
	told := func(change, text, edited, author, tags string) string {
		return fmt.Sprintf(`{"onChatMessageNotification":{"userId":"{ben}","type":%q,"message":{"messageId":"m1","text":%q,"createdAt":"2026-01-01T12:00:03.000Z","lastEditedAt":%s,
			"chat":{"chatId":"c1"},"authorUserId":"{ana}","author":%s,"textTaggedUsers":[%s]}}}`, change, text, edited, author, tags)
	}
	const ana = `{"userId":"{ana}","username":"ana","photo":null}`
	given := Users("ana", "ben").And(apptest.Listening("ben", whole)).ListenToChats("ana")
	Run(t, []Scenario{{
		Name: "its whole life", Given: given, As: "ana",
		Query: `mutation { createDirectChat(chatId: "c1", userId: "{ben}", messageId: "m1", messageText: "hi @ben") { chatId } }`,
		Hears: Hears{"ben": {told("ADDED", "hi @ben", "null", ana, `{"tag":"@ben","user":{"userId":"{ben}"}}`)}},
		Then: []Scenario{
			{As: "ana", Query: `mutation { editChatMessage(messageId: "m1", text: "so") { text } }`, Hears: Hears{"ben": {told("EDITED", "so", `"2026-01-01T12:00:04.000Z"`, ana, "")}}},
			{As: "ana", Query: `mutation { deleteChatMessage(messageId: "m1") { text } }`, Hears: Hears{"ben": {told("DELETED", "so", `"2026-01-01T12:00:04.000Z"`, ana, "")}}},
		},
	}, {
		Name: "by somebody with a photo", Given: Users("ana", "ben").Image("ana", "p1", 64, 48).Details("ana", `photoPostId: "p1"`).DirectChat("ana", "ben", "c1", "m0").
			And(apptest.Listening("ben", `subscription { onChatMessageNotification(userId: "{ben}") { message { author { photo { width } } } } }`)),
		As: "ana", Query: `mutation { addChatMessage(chatId: "c1", messageId: "m1", text: "x") { text } }`,
		Hears: Hears{"ben": {`{"onChatMessageNotification":{"message":{"author":{"photo":{"width":null}}}}}`}},
	}})
}

// realtime 6#9: views and flags cause no notifications.
func TestViewsAndFlagsAreNotTold(t *testing.T) {
	names, given := crowd(11)
	given = given.And(group("u000", names[1:])...).ListenToChats("u000", "u001")
	Run(t, []Scenario{
		{Name: "a view", Adds: true, Given: given, As: "u001", Query: `mutation { reportChatViews(chatIds: ["g"]) }`, Hears: Hears{}},
		{Name: "a flag of the chat", Given: given, As: "u001", Query: `mutation { flagChat(chatId: "g") { chatId } }`, Hears: Hears{}},
		{Name: "a flag of a message", Given: given, As: "u001", Query: `mutation { flagChatMessage(messageId: "m0") { messageId } }`, Hears: Hears{}},
	})
}
