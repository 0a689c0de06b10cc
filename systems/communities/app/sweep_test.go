package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/communities/app"
)

// TestMutationsWhoseStoreFails executes every mutation with each of its store calls failing
// once: it must take effect completely or not at all, and repeating the request must repair
// any leftovers. Then each runs concurrently with itself (communities 6#1-11).
func TestMutationsWhoseStoreFails(t *testing.T) {
	given := func(aw *apptest.World) (v vars) {
		aw.Host.Operators = []string{"OZ@example.com"}
		w := &world{World: aw, ids: map[string]string{}}
		w.registers("oz", "a", "b", "c", "d", "x")
		in := w.Does("", login, vars{"l": "a", "p": password})
		c, empty := w.founds("a", "Calm", "b", "c"), w.founds("a", "Empty")
		h, closed := w.opens("a", c), w.opens("a", c, vars{"private": true})
		opened := w.opens("a", c, vars{"private": true})
		w.enters(h, "b")
		w.Does("c", ask, vars{"h": opened})
		w.Does("a", `mutation($h: ID!) { updateGroupChat(id: $h, input: {private: false}) { id } }`, vars{"h": opened})
		w.Does("oz", `mutation($u: ID!) { banUser(userId: $u) { id } }`, vars{"u": w.ids["x"]})
		v = vars{
			"r": in.Text("login.refreshToken"), "c": c, "empty": empty, "h": h, "closed": closed, "opened": opened, "b": w.ids["b"], "cid": w.ids["c"], "x": w.ids["x"],
			"request": w.Does("c", ask, vars{"h": closed}).Text("requestToJoin.id"), "m": w.writes("a", "GROUP", h, "one"), "own": w.writes("b", "GROUP", h, "two"), "p": w.meets("a", "b"),
		}
		w.writes("b", "PRIVATE", v["p"].(string), "hello")
		w.Does("a", react, vars{"t": "GROUP", "h": h, "m": v["own"], "r": "LIKE"})
		w.Settle()
		v["n"] = w.Does("a", notices).Text("notifications.items.0.id")
		return v
	}
	options := []apptest.Option{apptest.WithIssuer}
	system := app.System(app.Options{})
	// Ids are the same in all worlds with the same history.
	var v vars
	apptest.Test(t, system, func(w *apptest.World) { v = given(w) }, options...)
	var all []apptest.Scenario
	for _, c := range []struct {
		as, query string
		adds      bool
	}{
		{"", `mutation { login(login: "b", password: "correct horse") { user { username } } }`, true},
		{"", `mutation($r: String!) { refreshSession(refreshToken: $r) { user { username } } }`, true},
		{"b", `mutation { revokeSessions }`, true},
		{"b", `mutation { updateProfile(input: {username: "bob", email: "bob@example.com", bio: "hi"}) { username } }`, true},
		{"b", `mutation { changePassword(current: "correct horse", new: "another horse") }`, true},
		{"b", `mutation { deleteAccount(password: "correct horse") }`, true},
		{"b", `mutation { heartbeat }`, true},
		{"oz", `mutation($b: ID!) { setUserPermissions(userId: $b, permissions: [READ_CHAT_MESSAGE]) { permissions } }`, true},
		{"oz", `mutation($b: ID!) { setUserRole(userId: $b, role: MODERATOR) { role } }`, true},
		{"oz", `mutation($b: ID!) { banUser(userId: $b) { banned } }`, false},
		{"oz", `mutation($x: ID!) { unbanUser(userId: $x) { banned } }`, false},
		{"b", `mutation { createCommunity(input: {name: "New", description: "d", topic: PTSD, location: {city: "Trenton", state: "New Jersey", country: "USA"}}) { name } }`, true},
		{"a", `mutation($c: ID!) { updateCommunity(id: $c, input: {name: "New", topic: ANXIETY, location: {city: "a", state: "b", country: "c"}}) { name } }`, true},
		{"a", `mutation($empty: ID!) { deleteCommunity(id: $empty) }`, false},
		{"a", `mutation($c: ID!, $b: ID!) { transferCommunity(id: $c, userId: $b) { id } }`, false},
		{"d", `mutation($c: ID!) { joinCommunity(id: $c) { memberCount } }`, false},
		{"c", `mutation($c: ID!) { leaveCommunity(id: $c) { memberCount } }`, false},
		{"a", `mutation($c: ID!, $b: ID!) { removeCommunityMember(communityId: $c, userId: $b) { memberCount } }`, false},
		{"b", `mutation($c: ID!) { createGroupChat(communityId: $c, input: {name: "New", description: "d"}) { name } }`, true},
		{"a", `mutation($h: ID!) { updateGroupChat(id: $h, input: {name: "New", private: true, capacity: 5}) { name } }`, true},
		{"a", `mutation($closed: ID!) { deleteGroupChat(id: $closed) }`, false},
		{"c", `mutation($opened: ID!) { joinGroupChat(id: $opened) { numMembers } }`, false},
		{"a", `mutation($h: ID!) { leaveGroupChat(id: $h) { numMembers } }`, false},
		{"a", `mutation($h: ID!, $b: ID!) { removeGroupChatMember(id: $h, userId: $b) { numMembers } }`, false},
		{"a", `mutation($h: ID!, $b: ID!) { transferGroupChat(id: $h, userId: $b) { owner { id } } }`, false},
		{"a", `mutation($cid: ID!) { openPrivateChat(userId: $cid) { id } }`, false},
		{"a", `mutation($p: ID!) { hidePrivateChat(id: $p) }`, false},
		{"b", `mutation($h: ID!, $m: ID!) { sendMessage(chatType: GROUP, chatId: $h, content: "x", clientId: "k", replyToId: $m) { content } }`, true},
		{"b", `mutation($h: ID!, $own: ID!) { editMessage(chatType: GROUP, chatId: $h, id: $own, content: "x") { content } }`, true},
		{"a", `mutation($h: ID!, $m: ID!) { deleteMessage(chatType: GROUP, chatId: $h, id: $m) { deleted } }`, false},
		{"b", `mutation($h: ID!, $m: ID!) { reportMessage(chatId: $h, id: $m) { content } }`, false},
		{"b", `mutation($h: ID!, $m: ID!) { reactToMessage(chatType: GROUP, chatId: $h, id: $m, type: WOW) { myReaction } }`, true},
		{"a", `mutation($h: ID!, $own: ID!) { removeReaction(chatType: GROUP, chatId: $h, id: $own) { myReaction } }`, false},
		{"a", `mutation($h: ID!, $own: ID!) { markMessagesRead(chatType: GROUP, chatId: $h, ids: [$own]) }`, false},
		{"a", `mutation($h: ID!) { muteChat(chatType: GROUP, chatId: $h, muted: true) }`, false},
		{"a", `mutation($h: ID!) { sendTyping(chatType: GROUP, chatId: $h) }`, false},
		{"b", `mutation($closed: ID!) { requestToJoin(chatId: $closed, note: "n") { status } }`, true},
		{"c", `mutation($request: ID!) { cancelChatRequest(id: $request) { status } }`, true},
		{"a", `mutation($request: ID!) { acceptChatRequest(id: $request) { status } }`, true},
		{"a", `mutation($request: ID!) { rejectChatRequest(id: $request) { status } }`, true},
		{"a", `mutation($request: ID!) { markChatRequestSeen(id: $request) { seen } }`, false},
		{"a", `mutation($n: ID!) { markNotificationRead(id: $n) { read } }`, false},
		{"a", `mutation { markNotificationsSeen }`, false},
		{"a", `mutation { markAllNotificationsRead }`, false},
		{"a", `mutation($n: ID!) { deleteNotification(id: $n) }`, false},
	} {
		name := strings.FieldsFunc(c.query[strings.Index(c.query, "{")+1:], func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })[0]
		all = append(all, apptest.Scenario{
			Name: name, Given: []apptest.Step{func(w *apptest.World) { given(w) }, knows(c.as)}, As: c.as, Query: c.query, Variables: apptest.Used(c.query, v), Adds: c.adds,
		})
	}
	for _, f := range system.Schema().Schema().Mutation.Fields {
		if f.Name != "register" && !slices.ContainsFunc(all, func(s apptest.Scenario) bool { return s.Name == f.Name }) {
			t.Errorf("%s is not tried", f.Name)
		}
	}
	apptest.Run(t, system, all, options...)
}

// knows returns the step of using a token, which is then cached for some seconds, so that
// its verification cannot be the call that fails.
func knows(as string) apptest.Step {
	return func(w *apptest.World) {
		if as != "" {
			w.Does(as, `{ me { id } }`)
		}
	}
}

// A registration creates a user with all their data, or nothing; the sign-in is a second
// step (communities 5.2#1).
func TestRegisteringWhileTheStoreFails(t *testing.T) {
	test(t, func(w *world) {
		for n := range 12 {
			name := fmt.Sprint("u", n)
			disarm := w.failing(n / 2)
			a := w.Asks("", register, vars{"i": person(name)})
			if happened := disarm(); happened == (len(a.Errors) == 0) {
				t.Errorf("call %d fails: %v, answered %v", n/2+1, happened, a.Errors)
			}
			switch again := w.Asks("", register, vars{"i": person(name)}).Refusal(); again {
			case "", "CONFLICT USERNAME_TAKEN":
			default:
				t.Errorf("call %d fails, and the same request is refused with %q", n/2+1, again)
			}
			w.Does("", login, vars{"l": name, "p": password})
			w.Whole()
		}
	})
}
