package dating_test

import (
	"fmt"
	"testing"
	"time"

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

// users D4 and service E7: nobody matches a profile that has been removed, not even until its dater is
// cleaned up.
func TestNobodyMatchesAFormerProfile(t *testing.T) {
	for _, remove := range []string{`deleteUser { userId }`, `resetUser { userId }`, `resetUser(newUsername: "anew") { userId }`} {
		for n, met := 1, true; met; n++ {
			Test(t, Users("cleo").Datable("cleo").And(Daters("ben")...), func(w *World) {
				const ben = `{ user(userId: "{ben}") { signedUpAt } }`
				before, gone := string(w.Ask("cleo", ben).Data), false
				w.Advance(time.Second)
				other := w.Beside("other")
				other.Do(Given{}.ListenToMatches("cleo")...)
				disarm := w.Client.Arm(faultdb.Before("", n, func() {
					gone = string(other.Ask("cleo", ben).Data) != before
					other.Must("cleo", `mutation { setUserDatingStatus(status: ENABLED) { userId } }`)
				}))
				w.Ask("ben", `mutation { `+remove+` }`)
				met = disarm()
				other.Settle()
				w.Settle()
				if heard := other.TakeHeard(); gone && len(heard) > 0 {
					t.Errorf("%s: before call %d, cleo hears %v", remove, n, heard)
				}
				Sound(w)
			})
		}
	}
}

// users D10 and D-c: a block by or of a former profile keeps nobody from matching the new one, also while
// its row is still stored.
func TestFormerBlocksKeepNobodyFromMatching(t *testing.T) {
	for _, block := range [][2]string{{"ana", "ben"}, {"ben", "ana"}} {
		Test(t, Users("ana", "ben").Datable("ana", "ben").Block(block[0], block[1]), func(w *World) {
			removed := Renew(w, "ben")
			w.Do(Given{}.Dating("ana", "ben")...)
			Tells(w, "ana", stands("ben"), is("POTENTIAL"))
			w.Deliver(removed)
			Tells(w, "ana", stands("ben"), is("POTENTIAL"))
			w.Do(Given{}.Block(block[0], block[1])...)
			Tells(w, "ana", stands("ben"), is("NOT_MATCHED"))
			Sound(w)
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
