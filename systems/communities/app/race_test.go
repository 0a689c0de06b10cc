package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
)

// Races between owner, founder, leaver and deleter: every response reflects the state it
// met, and the final state is consistent.

// race runs acts concurrently, a hundred times in separate worlds, and returns the
// frequency of each set of responses.
func race(t *testing.T, given func(w *world, n int) vars, acts [][2]string, fine func(answers []string) bool) {
	t.Helper()
	test(t, func(w *world) {
		w.registers("founder", "owner", "member", "asker")
		seen := map[string]int{}
		for n := range rounds {
			if n%25 == 24 {
				w.logsIn("founder", "owner", "member", "asker")
			}
			v := given(w, n)
			answers := w.Race(acts, v)
			w.Settle()
			if !fine(answers) {
				t.Errorf("round %d: %q", n, answers)
			}
			seen[strings.Join(answers, " | ")]++
			w.Whole()
		}
		t.Log(seen)
	})
}

const (
	acceptIt = `mutation($r: ID!) { acceptChatRequest(id: $r) { status } }`
	rejectIt = `mutation($r: ID!) { rejectChatRequest(id: $r) { status } }`
	cancelIt = `mutation($r: ID!) { cancelChatRequest(id: $r) { status } }`
	leaveIt  = `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`
	deleteIt = `mutation($h: ID!) { deleteGroupChat(id: $h) }`
	openIt   = `mutation($h: ID!) { updateGroupChat(id: $h, input: {private: false}) { id } }`
)

func requested(w *world, n int) vars {
	c := w.founds("founder", fmt.Sprint("c", n), "owner", "member", "asker")
	h := w.opens("owner", c, vars{"private": true, "capacity": 3})
	w.Does("owner", accept, vars{"r": w.Does("member", ask, vars{"h": h}).Text("requestToJoin.id")})
	return vars{"c": c, "h": h, "r": w.Does("asker", ask, vars{"h": h}).Text("requestToJoin.id")}
}

// among reports whether each response is one of the possible ones.
func among(possible ...[]string) func([]string) bool {
	return func(answers []string) bool {
		for i, a := range answers {
			if !slices.Contains(possible[i], a) {
				return false
			}
		}
		return true
	}
}

const (
	decided = "CONFLICT REQUEST_ALREADY_DECIDED"
	noChat  = "NOT_FOUND"
)

// communities 5.5#6 and 6#8: of concurrent decisions about a request, one counts.
func TestRaceOfDeciders(t *testing.T) {
	race(t, requested, [][2]string{{"owner", acceptIt}, {"founder", rejectIt}, {"asker", cancelIt}}, func(answers []string) bool {
		won := 0
		for _, a := range answers {
			if a == "" {
				won++
			} else if a != decided {
				return false
			}
		}
		return won == 1
	})
}

// communities 6#8 and 6#17: nobody who leaves the community is left in one of its chats.
func TestRaceOfAcceptanceAndLeaving(t *testing.T) {
	race(t, requested, [][2]string{{"owner", acceptIt}, {"asker", leaveIt}},
		among([]string{"", decided, "FORBIDDEN NOT_COMMUNITY_MEMBER"}, []string{""}))
}

// communities 5.4#6 and 6#8: a request to a chat that is deleted is decided once.
func TestRaceOfAcceptanceAndDeletion(t *testing.T) {
	race(t, requested, [][2]string{{"owner", acceptIt}, {"founder", deleteIt}, {"asker", cancelIt}},
		among([]string{"", decided, noChat}, []string{""}, []string{"", decided}))
}

// communities 5.4#4 and 8#further-transactions: a user who is accepted and joins
// concurrently is a member once.
func TestRaceOfOpeningAndJoining(t *testing.T) {
	race(t, requested, [][2]string{{"owner", openIt}, {"founder", acceptIt}, {"asker", enter}},
		among([]string{""}, []string{"", decided, "CONFLICT ALREADY_MEMBER"}, []string{"", "FORBIDDEN PRIVATE_CHAT", "CONFLICT ALREADY_MEMBER"}))
}

// communities 5.4#5 and 6#15: a chat whose owner leaves together with another member has
// one owner, or is gone.
func TestRaceOfOwnersAndLeavers(t *testing.T) {
	race(
		t,
		requested,
		[][2]string{{"owner", `mutation($h: ID!) { leaveGroupChat(id: $h) { id } }`}, {"member", `mutation($h: ID!) { leaveGroupChat(id: $h) { id } }`}, {"founder", acceptIt}},
		among([]string{""}, []string{""}, []string{"", decided, noChat}),
	)
}

// communities 5.4#2, 6#5 and 6#13: the last place in a chat is taken once.
func TestRaceForTheLastPlace(t *testing.T) {
	race(t, func(w *world, n int) vars {
		c := w.founds("founder", fmt.Sprint("c", n), "owner", "member", "asker")
		h := w.opens("owner", c, vars{"capacity": 2})
		return vars{"c": c, "h": h}
	}, [][2]string{{"member", enter}, {"asker", enter}, {"founder", enter}}, func(answers []string) bool {
		slices.Sort(answers)
		return slices.Equal(answers, []string{"", "LIMIT_EXCEEDED CHAT_FULL", "LIMIT_EXCEEDED CHAT_FULL"})
	})
}

// communities 5.3#3, 5.3#5 and 8#founders: a community that is transferred, left, joined
// and deleted concurrently has one founder, or is gone.
func TestRaceOfFoundersAndTheirCommunity(t *testing.T) {
	race(t, func(w *world, n int) vars {
		c := w.founds("founder", fmt.Sprint("c", n), "owner", "member")
		return vars{"c": c, "u": w.ids["owner"], "m": w.ids["member"], "i": vars{"name": "n", "description": "d"}}
	}, [][2]string{
		{
			"founder",
			`mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { id } }`,
		}, {"owner", leaveIt}, {"founder", `mutation($c: ID!) { deleteCommunity(id: $c) }`},
		{"member", openChat}, {"asker", `mutation($c: ID!) { joinCommunity(id: $c) { id } }`},
	}, among(
		[]string{"", "NOT_FOUND NOT_MEMBER", "NOT_FOUND"},
		[]string{"", "NOT_FOUND", "NOT_FOUND NOT_MEMBER", "PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE"},
		[]string{
			"",
			"FORBIDDEN PERMISSION_MISSING",
			"PRECONDITION_FAILED COMMUNITY_HAS_CHATS",
		},
		[]string{"", "NOT_FOUND", "FORBIDDEN NOT_COMMUNITY_MEMBER"},
		[]string{"", "NOT_FOUND"},
	))
}

// A username, an e-mail address and an account cannot be taken twice, nor kept by a deleted
// user (communities 6#1 and 6#18).
func TestRaceOfAccounts(t *testing.T) {
	test(t, func(w *world) {
		w.registers("friend")
		c := w.founds("friend", "Calm")
		for n := range rounds {
			name := fmt.Sprint("u", n)
			if n%25 == 24 {
				w.logsIn("friend")
			}
			w.registers(name)
			w.Does(name, `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, vars{"c": c})
			h := w.opens("friend", c, vars{"private": true})
			v := vars{"c": c, "h": h, "r": w.Does(name, ask, vars{"h": h}).Text("requestToJoin.id"), "i": person(name), "u": w.ids[name]}
			acts := [][2]string{
				{
					name,
					`mutation { deleteAccount(password: "correct horse") }`,
				}, {"friend", acceptIt}, {"", register}, {"friend", `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`},
				{"friend", `mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { id } }`},
			}
			answers := w.Race(acts, v)
			w.Settle()
			if !among([]string{"", "PRECONDITION_FAILED FOUNDS_COMMUNITY"}, []string{"", decided, "NOT_FOUND", "FORBIDDEN NOT_COMMUNITY_MEMBER"},
				[]string{"", "CONFLICT USERNAME_TAKEN", "CONFLICT EMAIL_TAKEN"}, []string{"", "NOT_FOUND"}, []string{"", "NOT_FOUND NOT_MEMBER"})(answers) {
				t.Errorf("round %d: %q", n, answers)
			}
			if answers[4] == "" { // hand it back
				w.Does(name, `mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { id } }`, vars{"c": c, "u": w.ids["friend"]})
			}
			w.Whole()
		}
	})
}

// communities 8#account-gone: a reaction does not outlast its user who is deleted before it is
// stored, even if they are still a member of the chat.
func TestReactingWhileTheAccountEnds(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		v := vars{"t": "PRIVATE", "h": w.meets("a", "b"), "r": "LIKE"}
		v["m"] = w.writes("a", "PRIVATE", v["h"].(string), "hello")
		w.Settle()
		w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() {
			w.Does("b", `mutation { deleteAccount(password: "correct horse") }`)
			w.Settle()
		}))
		w.Refused("UNAUTHENTICATED", "b", react, v)
		w.Whole()
	})
}

// communities 5.9#2: whoever is deleted while members are notified of a message is left with no
// notification, whether it would be their first one or not.
func TestNotifyingWhileTheAccountEnds(t *testing.T) {
	const leave = `mutation { deleteAccount(password: "correct horse") }`
	for name, city := range map[string]vars{"first": york, "later": trenton} { // those in Trenton were notified of the community
		for _, leaves := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, amid the deletion %t", name, leaves), func(t *testing.T) {
				test(t, func(w *world) {
					w.registers("a", "z")
					for n := range 24 {
						b := fmt.Sprint("b", n)
						w.knows(b, w.Does("", register, vars{"i": person(b, vars{"location": city})}), "register")
						h := w.opens("a", w.founds("a", fmt.Sprint("Calm ", n), b))
						w.enters(h, b)
						w.Settle()
						ends := func() { w.Does(b, leave) }
						says := func() { w.writes("a", "GROUP", h, "hello") }
						outer, inner := says, ends
						if leaves {
							outer, inner = ends, says
						}
						w.Client.Arm(faultdb.Before("", n+1, inner))
						outer()
						w.Settle()
						for _, row := range w.Rows()["communities-Notifications"] {
							if strings.Contains(fmt.Sprint(row["PK"]), w.ids[b]) {
								t.Errorf("before call %d, left: %v", n+1, row)
							}
						}
					}
					w.Whole()
				})
			})
		}
	}
}

// communities 6#1 and 6#3: a change that is made twice at once does not meet its own name as that of
// somebody else.
func TestNamesOfOneselfAreNotTaken(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		c := w.founds("a", "Calm")
		for _, change := range []string{
			`mutation { updateProfile(input: {username: "ann", email: "ann@example.com"}) { version } }`,
			`mutation($c: ID!) { updateCommunity(id: $c, input: {name: "Quiet"}) { version } }`,
		} {
			w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Does("a", change, apptest.Used(change, vars{"c": c})) }))
			w.Does("a", change, apptest.Used(change, vars{"c": c}))
		}
		w.Whole()
	})
}

// communities 5.2#5: who has been banned, or is no administrator any more, meanwhile takes nothing from
// the other moderator or administrator.
func TestModeratorsDoNotBanEachOther(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "a", "b")
		const (
			role   = `mutation($u: ID!, $r: Role!) { setUserRole(userId: $u, role: $r) { role } }`
			ban    = `mutation($u: ID!) { banUser(userId: $u) { banned } }`
			demote = `mutation($u: ID!) { setUserRole(userId: $u, role: REGULAR_USER) { role } }`
		)
		a, b := vars{"u": w.ids["a"]}, vars{"u": w.ids["b"]}
		for _, c := range []struct{ role, query, refused, seen string }{
			{"MODERATOR", ban, "FORBIDDEN BANNED", `{"banned":false,"role":"MODERATOR"}`},
			{"ADMIN", demote, "FORBIDDEN PERMISSION_MISSING", `{"banned":false,"role":"ADMIN"}`},
		} {
			for _, u := range []vars{a, b} {
				w.Does("oz", role, u, vars{"r": c.role})
			}
			happened := w.Before(1, func(*apptest.World) { w.Does("a", c.query, b) })
			w.Refused(c.refused, "b", c.query, a)
			if !happened() {
				t.Error("nobody was first")
			}
			w.Asked("oz", `query($u: ID!) { user(id: $u) { role banned } }`, a, "user", c.seen)
			if c.query == ban {
				w.Does("oz", `mutation($u: ID!) { unbanUser(userId: $u) { banned } }`, b)
			}
		}
		w.Whole()
	})
}
