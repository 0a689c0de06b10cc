package dating_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/faultdb"

	. "stoa/social/socialtest"
)

// users D4, D10 and service E7: from the removal of a profile on, its matches exist for neither user,
// whatever clean-up still runs.
func TestMatchesOfFormerProfilesDoNotExist(t *testing.T) {
	const none = "ClientError: Match does not exist"
	for name, given := range map[string]Given{
		"potential": Daters("ana", "ben"),
		"approved":  Daters("ana", "ben").Approve("ben", "ana"),
		"rejected":  Daters("ana", "ben").Reject("ben", "ana"),
		"confirmed": Daters("ana", "ben").Approve("ana", "ben").Approve("ben", "ana"),
	} {
		t.Run(name, func(t *testing.T) {
			Test(t, given.Bonus("ana").Bonus("ben"), func(w *World) {
				removed := Renew(w, "ben")
				for _, pair := range [][2]string{{"ana", "ben"}, {"ben", "ana"}} {
					me, other := pair[0], pair[1]
					Tells(w, me, stands(other), is("NOT_MATCHED"))
					for _, status := range []string{"POTENTIAL", "REJECTED", "APPROVED", "CONFIRMED"} {
						Tells(w, me, `{ self { matchedUsers(matchStatus: `+status+`) { items { username } } } }`, `{"self":{"matchedUsers":{"items":[]}}}`)
					}
					Tells(w, me, `{ swipedRightUsers { username } }`, `{"swipedRightUsers":[]}`)
					Tells(w, me, `mutation { approveMatch(userId: "{`+other+`}") }`, none)
					Tells(w, me, `mutation { rejectMatch(userId: "{`+other+`}") }`, none)
				}
				w.Deliver(removed)
				Sound(w)
			})
		})
	}
}

// users D10, chats 3.12: an approval of a user who is reset meanwhile, or of one's own former profile,
// opens no chat with the new one.
func TestApprovalsAmidResets(t *testing.T) {
	for _, who := range []string{"ana", "ben"} {
		for n, met := 1, true; met; n++ {
			Test(t, Daters("ana", "ben").Approve("ben", "ana"), func(w *World) {
				other := w.Beside("other")
				disarm := w.Client.Arm(faultdb.Before("", n, func() { other.Must(who, `mutation { resetUser(newUsername: "anew") { userId } }`) }))
				w.Ask("ana", `mutation { approveMatch(userId: "{ben}") }`)
				met = disarm()
				other.Settle()
				w.Settle()
				if c := w.Counters(); met && c["ana.chatCount"]+c["ben.chatCount"] > 0 {
					t.Errorf("reset of %s before call %d: ana has %d chats, ben %d", who, n, c["ana.chatCount"], c["ben.chatCount"])
				}
				for _, problem := range append(w.Problems(), fmt.Sprint(append(w.TakeDrifts(), other.TakeDrifts()...))) {
					if problem != "[]" {
						t.Errorf("reset of %s before call %d: %s", who, n, problem)
					}
				}
			})
		}
	}
}

// chats 3.12 and 3.13: a confirmed match opens a chat, also while rows of one with a former profile are
// stored.
func TestFormerChatsKeepNoChatFromOpening(t *testing.T) {
	Test(t, Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1"), func(w *World) {
		removed := Renew(w, "ben")
		w.Do(Given{}.Datable("ana", "ben").Dating("ana", "ben").Approve("ana", "ben").Approve("ben", "ana")...)
		const open = `{ user(userId: "{ben}") { directChat { usersCount messages { items { text } } } } }`
		const want = `{"user":{"directChat":{"usersCount":2,"messages":{"items":[{"text":"You have a new match!"}]}}}}`
		Tells(w, "ana", open, want)
		w.Deliver(removed)
		Tells(w, "ana", open, want)
		Sound(w)
	})
}
