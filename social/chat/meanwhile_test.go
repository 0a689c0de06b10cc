package chat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

const unviewedBy = `{ self { chatsWithUnviewedMessagesCount } chat(chatId: "c") { messagesCount(viewedStatus: NOT_VIEWED) messages { items { messageId viewedStatus } } } }`

// chats 0.5#2, 3.11#5-6, 4.5: a message is shown as viewed if and only if it is not counted as
// unviewed, also to a member who viewed the chat while it was being added, or by a clock that is ahead.
func TestMessagesAmidViews(t *testing.T) {
	given := Users("ana", "ben").DirectChat("ana", "ben", "c", "m1").ViewChat("ben", "c")
	view := func(w *World) { w.Advance(time.Second); w.Do(Given{}.ViewChat("ben", "c")...) }
	const unseen = `{"self":{"chatsWithUnviewedMessagesCount":1},"chat":{"messagesCount":1,"messages":{"items":[
		{"messageId":"m1","viewedStatus":"VIEWED"},{"messageId":"m2","viewedStatus":"NOT_VIEWED"}]}}}`
	const none = `{"self":{"chatsWithUnviewedMessagesCount":0},"chat":{"messagesCount":0,"messages":{"items":[{"messageId":"m1","viewedStatus":"VIEWED"}]}}}`
	ends := func(w *World) {
		w.T.Helper()
		w.Settle()
		w.Play(Scenario{As: "ben", Query: unviewedBy, Want: unseen})
		w.Must("ana", `mutation { deleteChatMessage(messageId: "m2") { text } }`)
		w.Play(Scenario{As: "ben", Query: unviewedBy, Want: none})
	}
	Test(t, given, func(w *World) {
		defer w.Meanwhile([]apptest.Step{view})()
		w.Do(Given{}.Say("ana", "c", "m2")...)
		ends(w)
	})
	Test(t, given, func(w *World) {
		ahead := w.Ahead("other", time.Minute)
		ahead.Do(Given{}.ViewChat("ben", "c")...)
		w.Do(Given{}.Say("ana", "c", "m2")...)
		ends(w)
	})
	// Two views at the same time leave the later one.
	Test(t, given, func(w *World) {
		ahead := w.Ahead("other", time.Minute)
		check := w.Meanwhile([]apptest.Step{func(*World) { ahead.Do(Given{}.ViewChat("ben", "c")...) }})
		w.Do(Given{}.ViewChat("ben", "c")...)
		check()
		w.Do(Given{}.Say("ana", "c", "m2")...)
		ends(w)
	})
}

// service E6: in a large group, too, a message that a member has not seen is not viewed, although it was
// being added when they viewed the chat.
func TestMessagesOfLargeGroupsAmidViews(t *testing.T) {
	names, given := crowd(47)
	Test(t, given.And(group("u000", names[1:])...).ViewChat("u001", "g"), func(w *World) {
		check := w.Meanwhile([]apptest.Step{func(w *World) { w.Advance(time.Second); w.Do(Given{}.ViewChat("u001", "g")...) }})
		w.Do(Given{}.Say("u000", "g", "m1")...)
		check()
		w.Settle()
		const query = `{ self { chatsWithUnviewedMessagesCount } chat(chatId: "g") { messagesCount(viewedStatus: NOT_VIEWED)
			messages(reverse: true, limit: 1) { items { messageId viewedStatus } } } }`
		w.Play(Scenario{As: "u001", Query: query,
			Want: `{"self":{"chatsWithUnviewedMessagesCount":1},"chat":{"messagesCount":1,"messages":{"items":[{"messageId":"m1","viewedStatus":"NOT_VIEWED"}]}}}`})
		w.Do(Given{}.ViewChat("u001", "g")...)
		w.Play(Scenario{As: "u001", Query: query,
			Want: `{"self":{"chatsWithUnviewedMessagesCount":0},"chat":{"messagesCount":0,"messages":{"items":[{"messageId":"m1","viewedStatus":"VIEWED"}]}}}`})
	})
}

// chats 3.1#5,8: of two direct chats of a pair that are created at the same time, the second is
// refused because there is one, whatever ids the two have.
func TestTwoDirectChatsOfAPairAtTheSameTime(t *testing.T) {
	for _, ids := range [][2]string{{"c1", "m1"}, {"c2", "m1"}, {"c1", "m2"}, {"c2", "m2"}} {
		Test(t, Users("ana", "ben"), func(w *World) {
			other := w.Beside("other")
			check := w.Meanwhile([]apptest.Step{func(*World) { other.Do(Given{}.DirectChat("ana", "ben", ids[0], ids[1])...) }})
			a := w.Ask("ana", `mutation { createDirectChat(chatId: "c1", userId: "{ben}", messageId: "m1", messageText: "x") { chatId } }`)
			check()
			want := w.People.Fill("ClientError: Chat already exists between user `{ana}` and user `{ben}`")
			if len(a.Errors) != 1 || a.Errors[0].Message != want {
				w.T.Errorf("beside chat %s with message %s: %v, want %s", ids[0], ids[1], a.Errors, want)
			}
		})
	}
}

// realtime 6#2-3: those who join a group while a message is edited or deleted hear of it, as do
// those who join before.
func TestNewMembersHearOfChangesAmidJoining(t *testing.T) {
	names, given := crowd(47)
	for _, members := range []int{2, 46} {
		given := given.And(group("u000", names[1:members])...).ListenToChats("u046")
		for change, mutation := range map[string]string{
			"EDITED":  `mutation { editChatMessage(messageId: "m0", text: "hi") { text } }`,
			"DELETED": `mutation { deleteChatMessage(messageId: "m0") { text } }`,
		} {
			Test(t, given, func(w *World) {
				w.Advance(time.Minute)
				behind := w.Ahead("other", -30*time.Second) // decides first, whatever comes first
				check := w.Meanwhile([]apptest.Step{func(*World) {
					behind.Do(Given{}.Does("u001", `mutation { addToGroupChat(chatId: "g", userIds: ["{u046}"]) { chatId } }`)...)
				}})
				w.Must("u000", mutation)
				check()
				behind.Settle()
				w.Settle()
				heard := fmt.Sprint(w.TakeHeard()["u046"])
				if !strings.Contains(heard, change) {
					w.T.Errorf("a new member of %d hears %s", members+1, heard)
				}
			})
		}
	}
}

// chats 3.4: the name of a group is the one of the latest message that tells of it, also if it was
// that before.
func TestTheLatestNameOfAGroupStays(t *testing.T) {
	given := Users("ana", "ben").Does("ana", `mutation { createGroupChat(chatId: "g", name: "x", userIds: ["{ben}"], messageId: "m0", messageText: "hi") { chatId } }`)
	Test(t, given, func(w *World) {
		w.Advance(time.Minute)
		behind := w.Ahead("other", -30*time.Second)
		check := w.Meanwhile([]apptest.Step{func(*World) {
			behind.Do(Given{}.Does("ben", `mutation { editGroupChat(chatId: "g", name: "y") { name } }`)...)
		}})
		w.Must("ana", `mutation { editGroupChat(chatId: "g", name: "x") { name } }`)
		check()
		w.Play(Scenario{As: "ben", Query: `{ chat(chatId: "g") { name messages(reverse: true, limit: 1) { items { text } } } }`,
			Want: `{"chat":{"name":"x","messages":{"items":[{"text":"@ana changed the name of the group to \"x\""}]}}}`})
	})
}

// chats 4.2: nobody writes in a group after leaving it, in a large one neither.
func TestNobodyWritesInAGroupThatTheyHaveLeft(t *testing.T) {
	names, given := crowd(47)
	for _, members := range []int{3, 47} {
		Test(t, given.And(group("u000", names[1:members])...), func(w *World) {
			w.Advance(time.Minute)
			behind := w.Ahead("other", -30*time.Second)
			check := w.Meanwhile([]apptest.Step{func(*World) {
				behind.Do(Given{}.Does("u001", `mutation { leaveGroupChat(chatId: "g") { chatId } }`)...)
			}})
			a := w.Ask("u001", `mutation { addChatMessage(chatId: "g", messageId: "m1", text: "x") { messageId } }`)
			check()
			if len(a.Errors) != 1 || !strings.Contains(a.Errors[0].Message, "is not a member of chat") {
				w.T.Errorf("a message of a former member of %d is answered by %s %v", members, a.Data, a.Errors)
			}
		})
	}
}
