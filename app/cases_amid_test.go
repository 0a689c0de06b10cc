package app_test

import (
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// users D10, operator 7#1: the card about what was decided does not reach the next profile of its
// author, whenever they are reset.
func TestDecisionsDoNotReachTheNextProfile(t *testing.T) {
	given := Users("mod", "ana", "ben").Post("ana", "p1").FlagPost("ben", "p1")
	told := 0
	for n, met := 1, true; met; n++ {
		TestStaffed(t, given, func(w *World) {
			other := w.Beside("other")
			disarm := w.Client.Arm(faultdb.Before("", n, func() { other.Must("ana", `mutation { resetUser(newUsername: "anew") { userId } }`) }))
			w.OperatorAsks("mod", decide, apptest.Vars{"id": "social:POST:p1", "r": 1, "v": "REMOVE"})
			met = disarm()
			w.Settle()
			other.Settle()
			if cards := w.Must("ana", `{ self { cards { items { cardId } } } }`); strings.Contains(string(cards.Data), "MODERATION") {
				if told++; met {
					t.Errorf("reset before call %d: %s", n, cards.Data)
				}
			}
		})
	}
	if told == 0 {
		t.Error("nobody is told of a decision")
	}
}

// operator 3#2: a message comes back as it was when it was removed, also if its author edited it
// while it was being flagged.
func TestRemovedMessagesKeepTheirLatestText(t *testing.T) {
	TestStaffed(t, Users("mod", "ana", "ben").Group("ben", "ana", "g1", "m1"), func(w *World) {
		other := w.Beside("other")
		check := w.Meanwhile([]apptest.Step{func(*World) {
			other.Must("ben", `mutation { editChatMessage(messageId: "m1", text: "better") { messageId } }`)
		}})
		w.Must("ana", `mutation { flagChatMessage(messageId: "m1") { messageId } }`)
		check()
		w.Settle()
		const newest = `{ chat(chatId: "g1") { messages(reverse: true, limit: 1) { items { text } } } }`
		if a := w.Must("ben", newest); strings.Contains(string(a.Data), "better") {
			t.Fatalf("the message is not removed: %s", a.Data)
		}
		w.OperatorDoes("mod", decide, apptest.Vars{"id": "social:CHAT_MESSAGE:m1", "r": 1, "v": "KEEP"})
		if a := w.Must("ben", newest); !strings.Contains(string(a.Data), "better") {
			t.Errorf("the message comes back as %s", a.Data)
		}
	})
}

// operator 4#2: nobody stays disabled for a suspension that has ended, whenever another process ends
// it.
func TestSuspensionsThatEndAtOnce(t *testing.T) {
	ana := apptest.Vars{"i": "{ana}"}
	for n, met := 1, true; met; n++ {
		TestStaffed(t, Users("ozzy", "ana"), func(w *World) {
			other := w.Beside("other")
			disarm := w.Client.Arm(faultdb.Before("", n, func() { w.OperatorDoes("ozzy", reinstate, ana) }))
			other.OperatorDoes("ozzy", suspend, ana, apptest.Vars{"r": "spam", "b": true})
			met = disarm()
			w.Settle()
			other.Settle()
			person := string(w.OperatorAsks("ozzy", `{ person(id: "{ana}") { status suspension { reason } } }`).Data)
			ban := w.Get("main", "user/{ana}", "banned") != nil
			if ended := strings.Contains(person, `"suspension":null`); ended != strings.Contains(person, "ACTIVE") || ended == ban {
				t.Errorf("reinstated before call %d: %s, banned %v", n, person, ban)
			}
		})
	}
}
