package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
	"stoa/store"
)

// chats 3.6#6,11, 3.13, 4.1#12 and realtime 6#8: direct chats of a deleted or reset user
// end for both; groups continue, with a message that tags nobody. Messages of that user are
// kept without an author.
func TestChatsOfAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben", "cleo").DirectChat("ana", "ben", "c1", "m1").Say("ben", "c1", "m2").DirectChat("cleo", "ana", "c2", "m3").
		Group("ben", "ana", "g1", "m4").Group("ben", "cleo", "g2", "m5").Say("cleo", "g2", "m6").Group("ben", "nobody", "g3", "m7").ViewChat("ben", "g2")
	Test(t, given.ListenToChats("ana", "cleo"), func(w *World) {
		before := w.Counters()
		w.TakeHeard()
		w.Do(Given{}.Gone("ben")...)
		w.Settle()
		after := w.Counters()
		for counter, want := range map[string]int{
			"ana.chatCount": -1, "cleo.chatCount": 0, "ana.chatsWithUnviewedMessagesCount": -1, "ana.chatMessagesDeletionCount": 1,
			"g1.userCount": -1, "g1.messagesCount": 1, "g1 member/ana.messagesUnviewedCount": 1,
		} {
			if got := after[counter] - before[counter]; got != want {
				w.T.Errorf("%s shifts by %d, want %d", counter, got, want)
			}
		}
		left := `{"onChatMessageNotification":{"type":"ADDED","message":{"text":"@ben left the group","authorUserId":null,"author":null,"chat":{"chatId":"%s"}}}}`
		heard := w.TakeHeard()
		for name, chat := range map[string]string{"ana": "g1", "cleo": "g2"} {
			if want := fmt.Sprintf(left, chat); len(heard[name]) != 1 || apptest.Difference("event", heard[name][0], want) != "" {
				w.T.Errorf("%s hears %s, want %s", name, heard[name], want)
			}
		}
		w.Play(Scenario{As: "ana", Query: `{ chat(chatId: "c1") { chatId } self { chats { items { chatId } } } user(userId: "{ben}") { directChat { chatId } } }`,
			Want: `{"chat":null,"self":{"chats":{"items":[{"chatId":"g1"},{"chatId":"c2"}]}},"user":null}`})
		w.Play(
			Scenario{
				As:    "cleo",
				Query: `{ chat(chatId: "g2") { usersCount users { items { username } } messages { items { text authorUserId author { username } textTaggedUsers { tag } } } } }`,
				Want: `{"chat":{"usersCount":1,"users":{"items":[{"username":"cleo"}]},"messages":{"items":[
				{"text":"@ben created the group","authorUserId":null,"author":null,"textTaggedUsers":[]},
				{"text":"@ben added @cleo to the group","authorUserId":null,"author":null,"textTaggedUsers":[{"tag":"@cleo"}]},
				{"text":"text of m5","authorUserId":"{ben}","author":null,"textTaggedUsers":[]},
				{"text":"text of m6","authorUserId":"{cleo}","author":{"username":"cleo"},"textTaggedUsers":[]},
				{"text":"@ben left the group","authorUserId":null,"author":null,"textTaggedUsers":[]}]}}}`,
			},
		)
		// Their messages that are removed no longer count for anyone.
		w.Play(Scenario{As: "cleo", Query: `mutation { flagChatMessage(messageId: "m5") { authorUserId author { username } } }`,
			Want: `{"flagChatMessage":{"authorUserId":"{ben}","author":null}}`, Counts: Counts{"g2.messagesCount": -1}})
		for _, rows := range []string{"chat/c1", "chat/g3", "chatMessage/m1", "chatMessage/m2", "chatMessage/m7"} {
			if item := w.Get(store.Main.Name, rows, "-"); item != nil {
				w.T.Errorf("%s is left: %v", rows, item)
			}
		}
		if view := w.Get(store.Main.Name, "chat/g2", "view/"+string(w.ID("ben"))); view != nil {
			w.T.Errorf("a view is left: %v", view)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// During the cleanup: from the removal on, the chat exists for neither, and a new profile
// of the same user does not find it.
// chats 0.5#5 and 3.13
func TestADirectChatIsOverAtOnce(t *testing.T) {
	given := Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1").Say("ben", "c1", "m2")
	Test(t, given, func(w *World) {
		removed := Renew(w, "ben")
		const read = `{ chat(chatId: "c1") { chatId } self { chats { items { chatId } } } user(userId: "{%s}") { directChat { chatId } } }`
		for name, other := range map[string]string{"ana": "ben", "ben": "ana"} {
			if got, want := string(w.Must(name, fmt.Sprintf(read, other)).Data), `{"chat":null,"self":{"chats":{"items":[]}},"user":{"directChat":null}}`; got != want {
				w.T.Errorf("%s sees %s, want %s", name, got, want)
			}
			a := w.Ask(name, `mutation { addChatMessage(chatId: "c1", messageId: "m9", text: "x") { messageId } }`)
			if len(a.Errors) != 1 || !strings.HasSuffix(a.Errors[0].Message, "is not a member of chat `c1`") {
				w.T.Errorf("%s may go on: %v", name, a.Errors)
			}
		}
		// A new chat does not wait for the cleanup, and is not affected by it.
		w.Must("ben", `mutation { createDirectChat(chatId: "c2", userId: "{ana}", messageId: "n1", messageText: "again") { chatId } }`)
		w.Deliver(removed)
		w.Play(Scenario{As: "ana", Query: `{ chat(chatId: "c2") { usersCount messages { items { text } } } self { chatCount } }`,
			Want: `{"chat":{"usersCount":2,"messages":{"items":[{"text":"again"}]}},"self":{"chatCount":1}}`})
	})
}

// Until the cleanup reaches a group, its events do not count for a new profile of the user,
// and other members can use it.
func TestAGroupOfAFormerProfile(t *testing.T) {
	given := Users("ana", "ben").Group("ana", "ben", "g1", "m1").ViewChat("ben", "g1")
	Test(t, given, func(w *World) {
		removed := Renew(w, "ben")
		for _, did := range []struct{ as, mutation string }{
			{"ana", `addChatMessage(chatId: "g1", messageId: "m2", text: "x") { messageId }`}, // which ben has not viewed
			{"ben", `reportChatViews(chatIds: ["g1"])`},
			{"ana", `editGroupChat(chatId: "g1", name: "n") { name }`},
			{"ana", `flagChat(chatId: "g1") { flagStatus }`}, // which ends it
		} {
			w.Must(did.as, "mutation { "+did.mutation+" }")
			if c := w.Counters(); c["ben.chatCount"] != 0 || c["ben.chatsWithUnviewedMessagesCount"] != 0 {
				w.T.Errorf("after %s ben has %d chats, %d with unviewed messages", did.mutation, c["ben.chatCount"], c["ben.chatsWithUnviewedMessagesCount"])
			}
		}
		w.Deliver(removed)
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// chats 3.13: a direct chat with a removed user does not exist for the other one either, even while
// its rows do.
func TestDirectChatsOfRemovedUsersDoNotExist(t *testing.T) {
	for mutation, want := range map[string]string{
		`flagChat(chatId: "c1") { chatId }`:                                      "Chat `c1` does not exist",
		`flagChatMessage(messageId: "m1") { messageId }`:                         "ChatMessage `m1` does not exist",
		`editChatMessage(messageId: "m2", text: "x") { messageId }`:              "User `{ana}` cannot edit message `m2`",
		`deleteChatMessage(messageId: "m2") { messageId }`:                       "User `{ana}` cannot delete message `m2`",
		`addChatMessage(chatId: "c1", messageId: "m3", text: "x") { messageId }`: "User `{ana}` is not a member of chat `c1`",
	} {
		Test(t, Users("ana", "ben").DirectChat("ben", "ana", "c1", "m1").Say("ana", "c1", "m2"), func(w *World) {
			Renew(w, "ben")
			Tells(w, "ana", "mutation { "+mutation+" }", "ClientError: "+want)
		})
	}
}

// users D10: messages of a deleted chat do not count for the next profile of their author, whenever
// they are reset.
func TestMessagesOfFormerProfilesAreNotCounted(t *testing.T) {
	given := Users("ana", "ben").DirectChat("ben", "ana", "c1", "m1").Say("ben", "c1", "m2")
	for n, met := 1, true; met; n++ {
		Test(t, given, func(w *World) {
			other := w.Beside("other")
			disarm := w.Client.Arm(faultdb.Before("", n, func() { other.Must("ben", `mutation { resetUser(newUsername: "benno") { userId } }`) }))
			w.Ask("ana", `mutation { flagChat(chatId: "c1") { chatId } }`)
			met = disarm()
			w.Settle()
			other.Settle()
			deleted := w.Get("main", "user/{ben}", "profile")["chatMessagesDeletionCount"]
			if want := any(2.0); !met && deleted != want || met && deleted != nil {
				t.Errorf("reset before call %d: %v messages are counted as deleted", n, deleted)
			}
			if left := w.Get("main", "chatMessage/m1", "-"); left != nil {
				t.Errorf("reset before call %d: %v is left", n, left)
			}
			for _, drift := range append(w.TakeDrifts(), other.TakeDrifts()...) {
				t.Errorf("reset before call %d: %+v", n, drift)
			}
		})
	}
}
