package card_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// The card for chats shows the number of the user's chats with unviewed messages, whatever happens
// in other chats meanwhile (chats 3.11).
func TestChatActivityBesideOtherChats(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ben", "ADD_PROFILE_PHOTO").
		DirectChat("ana", "ben", "a", "a0").DirectChat("cleo", "ben", "c", "c0").ViewChat("ben", "a").ViewChat("ben", "c")
	view := func(id string) [2]string {
		return [2]string{"ben", `mutation { reportChatViews(chatIds: ["` + id + `"]) }`}
	}
	say := func(by, id string) [2]string {
		return [2]string{by, fmt.Sprintf(`mutation { addChatMessage(chatId: "%s", messageId: "%s1", text: "x") { messageId } }`, id, id)}
	}
	for _, c := range []struct {
		name     string
		first    []apptest.Step
		do, then [2]string
		unviewed int
	}{
		{"a message in each", nil, say("ana", "a"), say("cleo", "c"), 2},
		{"a message before the card of another chat goes", Given{}.Say("ana", "a", "a1"), view("a"), say("cleo", "c"), 1},
		{"a view before the card of another chat is changed", Given{}.Say("ana", "a", "a1"), say("cleo", "c"), view("a"), 1},
		{"a view before the card comes", nil, say("ana", "a"), view("a"), 0},
		{"a view of each", Given{}.Say("ana", "a", "a1").Say("cleo", "c", "c1"), view("a"), view("c"), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, given.And(c.first...).ListenToCards("ben"), func(w *World) {
				happened := w.Before(2, func(w *World) { w.Must(c.then[0], c.then[1]) })
				w.Must(c.do[0], c.do[1])
				if !happened() {
					w.T.Fatal("nothing came in between")
				}
				w.Settle()
				if heard := w.TakeHeard()["ben"]; len(heard) > 1 {
					w.T.Errorf("ben hears %s", heard)
				}
				cards := `[]`
				if c.unviewed == 1 {
					cards = `[{"title":"You have 1 chat with new messages"}]`
				} else if c.unviewed > 1 {
					cards = fmt.Sprintf(`[{"title":"You have %d chats with new messages"}]`, c.unviewed)
				}
				w.Play(Scenario{As: "ben", Query: `{ self { chatsWithUnviewedMessagesCount cards { items { title } } } }`,
					Want: fmt.Sprintf(`{"self":{"chatsWithUnviewedMessagesCount":%d,"cards":{"items":%s}}}`, c.unviewed, cards)})
				for _, problem := range w.Problems() {
					w.T.Error(problem)
				}
			})
		})
	}
}
