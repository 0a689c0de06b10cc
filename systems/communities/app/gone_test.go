package app_test

import (
	"testing"
	"testing/synctest"

	"stoa/internal/apptest"
)

// communities 5.9#2, 8#account-gone and 8#founders: a user who has deleted their account is gone,
// and so are their requests, even before what is left of them has been removed.
func TestUsersWhoAreLeaving(t *testing.T) {
	for name, c := range map[string]struct{ query, want string }{
		"transferCommunity":     {`mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { founder { id } } }`, "NOT_FOUND NOT_MEMBER"},
		"removeCommunityMember": {`mutation($c: ID!, $u: ID!) { removeCommunityMember(communityId: $c, userId: $u) { memberCount } }`, ""},
		"transferGroupChat":     {`mutation($o: ID!, $u: ID!) { transferGroupChat(id: $o, userId: $u) { owner { id } } }`, "NOT_FOUND NOT_MEMBER"},
		"removeGroupChatMember": {`mutation($o: ID!, $u: ID!) { removeGroupChatMember(id: $o, userId: $u) { numMembers } }`, ""},
		"acceptChatRequest":     {`mutation($r: ID!) { acceptChatRequest(id: $r) { status user { id } } }`, "NOT_FOUND"},
		"rejectChatRequest":     {`mutation($r: ID!) { rejectChatRequest(id: $r) { status user { id } } }`, "NOT_FOUND"},
		"markChatRequestSeen":   {`mutation($r: ID!) { markChatRequestSeen(id: $r) { status user { id } } }`, "NOT_FOUND"},
		"openPrivateChat":       {`mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`, "NOT_FOUND"},
		"sendMessage":           {`mutation($p: ID!) { sendMessage(chatType: PRIVATE, chatId: $p, content: "x") { id } }`, "NOT_FOUND"},
		"chatRequest":           {`query($r: ID!) { chatRequest(id: $r) { id user { id } } }`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(w *world) {
				w.registers("a", "b")
				k := w.founds("a", "Calm", "b")
				h, o := w.opens("a", k, vars{"private": true}), w.opens("a", k)
				w.enters(o, "b")
				w.writes("b", "GROUP", o, "hi")
				v := vars{"c": k, "h": h, "o": o, "u": w.ids["b"], "p": w.meets("a", "b"), "r": w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")}
				var a apptest.Answer
				happened := w.Before(2, func(*apptest.World) { a = w.Asks("a", c.query, apptest.Used(c.query, v)) })
				w.Does("b", `mutation { deleteAccount(password: "`+password+`") }`)
				synctest.Wait() // for the clean-up, which does not settle while something happens amid it
				if !happened() {
					t.Error("what is left was removed before")
				}
				if a.Refusal() != c.want {
					t.Errorf("refused with %q, want %q", a.Refusal(), c.want)
				}
				w.Whole()
			})
		})
	}
}
