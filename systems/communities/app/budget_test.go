package app_test

import (
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
)

// The exact numbers of store calls.
func TestBudgets(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		c := w.founds("a", "Calm", "b", "c")
		var h string
		for range 20 {
			h = w.opens("a", c)
			w.writes("a", "GROUP", h, "x")
		}
		w.enters(h, "b")
		for n := range 50 {
			m := w.writes([]string{"a", "b"}[n%2], "GROUP", h, "x")
			w.Does("b", react, vars{"t": "GROUP", "h": h, "m": m, "r": "LIKE"})
		}
		closed := w.opens("a", c, vars{"private": true})
		r := w.Does("b", ask, vars{"h": closed}).Text("requestToJoin.id")
		w.Does("c", ask, vars{"h": closed})
		for _, b := range []struct {
			query string
			v     vars
			calls int
		}{
			{`{ myGroupChats { items { name unreadCount owner { name } community { name } } } }`, nil, 5},
			{`query($h: ID!) { messages(chatType: GROUP, chatId: $h, limit: 50) { items { content author { name } reactions { type user { name } } reactionCounts { count } } } }`,
				vars{"h": h}, 4},
			{`mutation($r: ID!) { acceptChatRequest(id: $r) { status } }`, vars{"r": r}, 3},
			{`mutation($h: ID!) { sendMessage(chatType: GROUP, chatId: $h, content: "x") { id } }`, vars{"h": h}, 3},
			{`query($h: ID!) { groupChatRequests(chatId: $h) { items { user { name } } } }`, vars{"h": closed}, 4},
			{`{ notifications(limit: 50) { items { message actor { name } } } }`, nil, 6},
		} {
			w.Advance(10 * time.Second)
			w.Does("a", `{ me { id } }`) // tokens are known for some seconds
			w.Settle()
			w.Client.Reset()
			calls := 0
			disarm := w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() { calls = w.Client.Total() }))
			w.Does("a", b.query, b.v)
			if !disarm() { // what a mutation causes comes after its transaction
				calls = w.Client.Total()
			}
			if calls > b.calls {
				t.Errorf("%s: %d calls (%s), want at most %d", b.query, calls, w.Client, b.calls)
			}
			w.Settle()
		}
		w.Whole()
	})
}

// The founder's page of pending requests takes at most two queries, even if another user
// owns the chat.
func TestTheFoundersPage(t *testing.T) {
	test(t, func(w *world) {
		names := []string{"founder", "owner"}
		for _, n := range "abcdefghijklmnopqrstuvwx" {
			names = append(names, string(n))
		}
		w.registers(names...)
		h := w.opens("owner", w.founds("founder", "Calm", names[1:]...), vars{"private": true})
		for _, asker := range names[2:] {
			w.Does(asker, ask, vars{"h": h, "n": "please"})
		}
		w.Settle()
		w.Client.Reset()
		d := w.Does(
			"founder",
			`query($h: ID!) { groupChat(id: $h) { name numMembers } groupChatRequests(chatId: $h) { items { id note createdAt seen user { name avatarUrl location { city } } } `+
				`nextToken } }`,
			vars{"h": h},
		)
		if got := len(d.Items("groupChatRequests.items")); got != 20 {
			t.Errorf("%d requests on a page", got)
		}
		if n := w.Client.Count("Query"); n > 2 {
			t.Errorf("%d queries (%s)", n, w.Client)
		}
		t.Logf("%d queries among %s", w.Client.Count("Query"), w.Client)
	})
}
