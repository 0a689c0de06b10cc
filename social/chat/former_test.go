package chat_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// chats 3.1#3-4,7, users D10 and service E7: what former profiles have left between two users keeps
// them from no chat, whatever clean-up still runs.
func TestFormerBlocksAndMatchesKeepNoChatFromOpening(t *testing.T) {
	for name, given := range map[string]Given{
		"match":      Daters("ana", "ben"),
		"block":      Users("ana", "ben").Block("ana", "ben"),
		"is blocked": Users("ana", "ben").Block("ben", "ana"),
	} {
		for _, gone := range []string{"ana", "ben"} {
			t.Run(name+", "+gone+" is gone", func(t *testing.T) {
				Test(t, given, func(w *World) {
					removed := Renew(w, gone)
					Tells(w, "ana", `mutation { createDirectChat(chatId: "c", userId: "{ben}", messageId: "m1", messageText: "x") { chatId } }`,
						`{"createDirectChat":{"chatId":"c"}}`)
					Tells(w, "ana", `mutation { createGroupChat(chatId: "g", userIds: ["{ben}"], messageId: "m2", messageText: "x") { usersCount } }`,
						`{"createGroupChat":{"usersCount":2}}`)
					w.Deliver(removed)
					Sound(w)
				})
			})
		}
	}
}

// users D10, chats 4.5: views of a former profile do not take those of the next one with them when they
// are cleaned up.
func TestViewsOutliveThoseOfFormerProfiles(t *testing.T) {
	given := Users("ana", "ben").Group("ana", "ben", "g", "m1").ViewChat("ben", "g").Does("ben", `mutation { leaveGroupChat(chatId: "g") { chatId } }`)
	Test(t, given, func(w *World) {
		removed := Renew(w, "ben")
		w.Do(Given{}.Does("ana", `mutation { addToGroupChat(chatId: "g", userIds: ["{ben}"]) { chatId } }`).Say("ana", "g", "m2").ViewChat("ben", "g")...)
		const newest = `{ chat(chatId: "g") { messagesCount(viewedStatus: NOT_VIEWED) messages(reverse: true, limit: 1) { items { messageId viewedStatus } } } }`
		const viewed = `{"chat":{"messagesCount":0,"messages":{"items":[{"messageId":"m2","viewedStatus":"VIEWED"}]}}}`
		Tells(w, "ben", newest, viewed)
		w.Deliver(removed)
		Tells(w, "ben", newest, viewed)
		Sound(w)
	})
}
