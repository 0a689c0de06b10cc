package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// chats 0.4#3, 3.11#1-2: a message moves its chat to the top, in the order of requests;
// edits and deletions of messages do not.
func TestEditsAndDeletionsMoveNoChat(t *testing.T) {
	given := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1").DirectChat("cleo", "ana", "c2", "m2").
		Say("ben", "c1", "m3").Say("ana", "c2", "m4").Say("ben", "c1", "m5").Say("ana", "c2", "m6")
	const list = `{ self { chats { items { chatId lastMessageActivityAt } } } }`
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ana", Query: `{ self { chats { items { chatId } } } }`, Want: `{"self":{"chats":{"items":[{"chatId":"c2"},{"chatId":"c1"}]}}}`})
		before := string(w.Must("ana", list).Data)
		w.Advance(time.Second)
		for _, change := range []struct{ as, mutation string }{
			{"ben", `editChatMessage(messageId: "m5", text: "x") { text }`}, {"ben", `deleteChatMessage(messageId: "m5") { text }`}, {"ana", `deleteChatMessage(messageId: "m6") { text }`},
			{"ana", `reportChatViews(chatIds: ["c1"])`},
		} {
			w.Must(change.as, "mutation { "+change.mutation+" }")
			if now := string(w.Must("ana", list).Data); now != before {
				w.T.Errorf("after %s the chats are %s, before %s", change.mutation, now, before)
			}
		}
	})
}

// chats 0.4#1, 0.4#4: the first message of a group is later than the group by a difference
// that clients can see, but not in the future by the clock of a client that has the
// response.
func TestTimesOfANewGroup(t *testing.T) {
	for _, others := range []string{"", `"{ben}"`} {
		Test(t, Users("ana", "ben"), func(w *World) {
			var answer struct {
				CreateGroupChat struct{ CreatedAt, LastMessageActivityAt string }
			}
			began := time.Now() // of the bubble: the clock of the world stands still
			data := w.Must("ana", `mutation { createGroupChat(chatId: "g1", userIds: [`+others+`], messageId: "m1", messageText: "x") { createdAt lastMessageActivityAt } }`).Data
			if err := json.Unmarshal(data, &answer); err != nil {
				w.T.Fatal(err)
			}
			const form = "2006-01-02T15:04:05.000Z"
			created, active := answer.CreateGroupChat.CreatedAt, answer.CreateGroupChat.LastMessageActivityAt
			if len(created) != len(form) || created >= active || active > w.Now().Add(time.Since(began)).Format(form) {
				w.T.Errorf("created at %s, active at %s, answered after %v", created, active, time.Since(began))
			}
		})
	}
}

// chats 4.3, 4.5, 0.3#4: an edit changes only the text of a message and its mentions, even
// if the author has left the chat; the same authors can delete it.
func TestAuthorshipAloneCounts(t *testing.T) {
	given := Users("ana", "ben", "cleo").Group("ana", "ben", "g1", "m1").Does("ana", `mutation { editChatMessage(messageId: "m1", text: "@ben") { text } }`).
		ViewChat("ben", "g1").Does("ana", `mutation { leaveGroupChat(chatId: "g1") { chatId } }`).ListenToChats("ana", "ben")
	notice := func(change, text string) string {
		return `{"onChatMessageNotification":{"type":"` + change + `","message":{"text":"` + text + `","authorUserId":"{ana}","author":{"username":"ana"},"chat":{"chatId":"g1"}}}}`
	}
	Run(t, []Scenario{
		{Name: "an edit", Given: given, As: "ana", Query: `mutation { editChatMessage(messageId: "m1", text: "@cleo") { text viewedStatus textTaggedUsers { tag } } }`,
			Want:   `{"editChatMessage":{"text":"@cleo","viewedStatus":"VIEWED","textTaggedUsers":[{"tag":"@cleo"}]}}`,
			Counts: Counts{}, Hears: Hears{"ben": {notice("EDITED", "@cleo")}},
			Then: []Scenario{{As: "ben", Query: `{ chat(chatId: "g1") { messages { items { text viewedStatus textTaggedUsers { tag } } } } }`, Want: `{"chat":{"messages":{"items":[
				{"text":"@ana created the group","viewedStatus":"VIEWED","textTaggedUsers":[{"tag":"@ana"}]},
				{"text":"@ana added @ben to the group","viewedStatus":"VIEWED","textTaggedUsers":[{"tag":"@ana"},{"tag":"@ben"}]},
				{"text":"@cleo","viewedStatus":"VIEWED","textTaggedUsers":[{"tag":"@cleo"}]},
				{"text":"@ana left the group","viewedStatus":"NOT_VIEWED","textTaggedUsers":[{"tag":"@ana"}]}]}}}`}}},
		{Name: "a deletion", Given: given, As: "ana", Query: `mutation { deleteChatMessage(messageId: "m1") { text } }`, Want: `{"deleteChatMessage":{"text":"@ben"}}`,
			Counts: Counts{"g1.messagesCount": -1, "ana.chatMessagesDeletionCount": 1, "g1 member/ben.messagesUnviewedCount": 0}, Hears: Hears{"ben": {notice("DELETED", "@ben")}}},
	})
}

// chats 0.3#6: mentions survive a change of username.
func TestMentionsOutliveNames(t *testing.T) {
	given := Users(
		"ana",
		"ben",
	).DirectChat("ana", "ben", "c1", "m1").
		Does("ana", `mutation { editChatMessage(messageId: "m1", text: "hi @ben") { text } }`).
		Details("ben", `username: "benjamin"`)
	Run(t, []Scenario{{
		Name: "renamed", Given: given, As: "ana", Query: `{ chat(chatId: "c1") { messages { items { textTaggedUsers { tag user { userId username } } } } } }`,
		Want: `{"chat":{"messages":{"items":[{"textTaggedUsers":[{"tag":"@ben","user":{"userId":"{ben}","username":"benjamin"}}]}]}}}`,
	}})
}

// realtime 3#4: messages are heard in the order of createdAt, however many are sent at the
// same time.
func TestMessagesAreHeardInTheOrderOfTheirTimes(t *testing.T) {
	Test(t, Users("ana", "ben", "cleo").Group("ana", "ben", "g1", "m0").Does("ana", `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}"]) { chatId } }`), func(w *World) {
		w.Settle()
		w.Restless(true)
		w.Listen("cleo", `subscription { onChatMessageNotification(userId: "{cleo}") { message { createdAt } } }`)
		const messages = 100
		w.Together(messages, func(i int) {
			w.Must([]string{"ana", "ben"}[i%2], fmt.Sprintf(`mutation { addChatMessage(chatId: "g1", messageId: "n%d", text: "x") { messageId } }`, i))
		})
		w.Settle()
		heard := w.TakeHeard()["cleo"]
		if len(heard) != messages || !slices.IsSorted(heard) {
			w.T.Errorf("%d of %d messages were heard, as %s", len(heard), messages, strings.Join(heard, "\n"))
		}
	})
}

// realtime 3#4: the numbers of unviewed chats that a user hears, and the changes of the card that
// shows them, come in order, whichever of two messages in different chats is answered first.
func TestNumbersOfUnviewedChatsAreHeardInOrder(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ben", "ADD_PROFILE_PHOTO").
		DirectChat("ana", "ben", "a", "a0").DirectChat("cleo", "ben", "c", "c0").ViewChat("ben", "a").ViewChat("ben", "c")
	for _, stream := range []struct{ subscription, first, second string }{
		{`subscription { onNotification(userId: "{ben}") { userChatsWithUnviewedMessagesCount } }`,
			`{"onNotification":{"userChatsWithUnviewedMessagesCount":1}}`, `{"onNotification":{"userChatsWithUnviewedMessagesCount":2}}`},
		{`subscription { onCardNotification(userId: "{ben}") { type card { title } } }`,
			`{"onCardNotification":{"type":"ADDED","card":{"title":"You have 1 chat with new messages"}}}`,
			`{"onCardNotification":{"type":"EDITED","card":{"title":"You have 2 chats with new messages"}}}`},
	} {
		Test(t, given, func(w *World) {
			w.Listen("ben", stream.subscription)
			disarm := w.Client.Arm(faultdb.Before("Query", 2, func() { // ana's answer
				go w.Must("cleo", `mutation { addChatMessage(chatId: "c", messageId: "c1", text: "x") { messageId } }`)
				synctest.Wait()
			}))
			w.Must("ana", `mutation { addChatMessage(chatId: "a", messageId: "a1", text: "x") { chat { messages { items { text } } } } }`)
			if !disarm() {
				w.T.Fatal("nothing came in between")
			}
			w.Settle()
			if heard := w.TakeHeard()["ben"]; !slices.Equal(heard, []string{stream.first, stream.second}) {
				w.T.Errorf("ben hears %v", heard)
			}
		})
	}
}

// realtime 3#4: changes of a message are heard in the order of their commits, however long the first
// one takes to be delivered.
func TestChangesOfAMessageAreHeardInOrder(t *testing.T) {
	for _, c := range []struct{ then, kind, text string }{
		{`editChatMessage(messageId: "m0", text: "second")`, "EDITED", "second"}, {`deleteChatMessage(messageId: "m0")`, "DELETED", "first"},
	} {
		Test(t, Users("ana", "ben").Group("ana", "ben", "g1", "m0"), func(w *World) {
			w.Listen("ben", `subscription { onChatMessageNotification(userId: "{ben}") { type message { text } } }`)
			disarm := w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() {
				go w.Must("ana", `mutation { `+c.then+` { text } }`)
				synctest.Wait()
			}))
			w.Must("ana", `mutation { editChatMessage(messageId: "m0", text: "first") { text } }`)
			if !disarm() {
				w.T.Fatal("nothing came in between")
			}
			w.Settle()
			heard := func(kind, text string) string {
				return `{"onChatMessageNotification":{"type":"` + kind + `","message":{"text":"` + text + `"}}}`
			}
			if got, want := w.TakeHeard()["ben"], []string{heard("EDITED", "first"), heard(c.kind, c.text)}; !slices.Equal(got, want) {
				w.T.Errorf("ben hears %v, want %v", got, want)
			}
		})
	}
}
