package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/systems/communities"
	"stoa/systems/communities/store"
)

// communities 5.6#3: deleting a message is for everybody, also for whoever was notified of
// it. What it said is in no notification, read or unread, nor in what is stored of them.
func TestDeletedMessagesAreNotQuoted(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"))
		w.enters(h, "b", "c")
		p := w.meets("a", "b")
		m, letter := w.writes("a", "GROUP", h, "a secret"), w.writes("a", "PRIVATE", p, "a secret too")
		w.Settle()
		texts := func(who string) string {
			t.Helper()
			return strings.ReplaceAll(w.Does(who, notices).List("notifications.items", "message"), "Name of ", "")
		}
		if got := texts("b"); !strings.HasPrefix(got, "a: a secret too a in chat: a secret A new community") {
			t.Errorf("b is notified of %q", got)
		}
		w.Does("a", edit, vars{"t": "GROUP", "h": h, "m": m, "x": strings.Repeat("é", 500)})
		if got := w.Does("c", notices).Text("notifications.items.0.message"); len([]rune(got)) != 140 || !strings.HasPrefix(got, "Name of a in chat: ééé") {
			t.Errorf("c reads %q", got) // at most 140 characters (communities 5.1#8)
		}
		w.Does("a", edit, vars{"t": "GROUP", "h": h, "m": m, "x": "a secret"})
		first := w.Does("c", notices).Text("notifications.items.0.id")
		w.Is(w.Does("c", `mutation($n: ID!) { markNotificationRead(id: $n) { message } }`, vars{"n": first}), "markNotificationRead.message", `"Name of a in chat: a secret"`)
		w.Does("a", erase, vars{"t": "GROUP", "h": h, "m": m})
		w.Does("a", erase, vars{"t": "PRIVATE", "h": p, "m": letter})
		for who, want := range map[string]string{"b": "a sent a message a in chat sent a message", "c": "A new community near you: Calm a in chat sent a message"} {
			if got := texts(who); !strings.HasPrefix(got, want) {
				t.Errorf("%s reads %q, want %q", who, got, want)
			}
		}
		w.Settle()
		for table, rows := range w.Rows() {
			for _, row := range rows {
				if strings.Contains(fmt.Sprint(row), "secret") {
					t.Errorf("%s: %v", table, row)
				}
			}
		}
		w.Whole()
	})
}

// A notification quotes a message to those who may read it: not to whoever has left the chat,
// or has hidden it, or may no longer read messages.
func TestNotificationsQuoteWhatMayBeRead(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "a", "left", "hid", "barred")
		h := w.opens("a", w.founds("a", "Calm", "left", "barred"))
		w.enters(h, "left", "barred")
		p := w.meets("a", "hid")
		m := w.writes("a", "GROUP", h, "one")
		w.writes("a", "PRIVATE", p, "one")
		w.Settle()
		w.Does("left", `mutation($h: ID!) { leaveGroupChat(id: $h) { id } }`, vars{"h": h})
		w.Does("hid", `mutation($h: ID!) { hidePrivateChat(id: $h) }`, vars{"h": p})
		w.Does("oz", `mutation($u: ID!) { setUserPermissions(userId: $u, permissions: [WRITE_CHAT_MESSAGE]) { id } }`, vars{"u": w.ids["barred"]})
		w.Does("a", edit, vars{"t": "GROUP", "h": h, "m": m, "x": "two"})
		for who, want := range map[string]string{"left": "Name of a in chat sent a message", "hid": "Name of a sent a message", "barred": "Name of a in chat sent a message"} {
			w.Asked(who, notices, nil, "notifications.items.0.message", `"`+want+`"`)
		}
	})
}

// Notifications stored with the text of their message are read as before, until the message
// is deleted.
func TestNotificationsThatContainTheText(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		m := w.writes("a", "PRIVATE", p, "a secret")
		w.Settle()
		w.Does("b", `mutation($n: ID!) { deleteNotification(id: $n) }`, vars{"n": w.Does("b", notices).Text("notifications.items.0.id")})
		s := store.Open(w.Host.DB, func(*communities.User) bool { return false })
		b := communities.UserID(w.ids["b"])
		facts, err := s.Notices.Facts(t.Context(), communities.Wanted{Notices: []communities.UserID{b}})
		if err != nil {
			t.Fatal(err)
		}
		at := communities.Moment{At: w.Host.Frame.Now().Add(time.Minute).Truncate(time.Millisecond), ID: "00000000-0000-4000-8000-000000000001"}
		old := &communities.Notification{
			NotificationRef: communities.NotificationRef{UserID: b, Moment: at}, Type: communities.NewPrivateMessage, Text: "Name of a: a secret",
			Target: communities.Target{Kind: communities.ToMessage, ID: m, ParentID: &p}, ActorID: communities.UserID(w.ids["a"]),
		}
		if err := s.Notices.Spread(t.Context(), communities.Spread{Event: at, To: "end", New: []*communities.Notification{old}, Last: facts.Notices}); err != nil {
			t.Fatal(err)
		}
		w.Asked("b", notices, nil, "notifications.items.0.message", `"Name of a: a secret"`)
		w.Does("a", erase, vars{"t": "PRIVATE", "h": p, "m": m})
		w.Asked("b", notices, nil, "notifications.items.0.message", `"A new message"`)
	})
}

// Subscribers read the present text of a message.
func TestNotificationsHeard(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		w.Listen("b", `subscription { notificationReceived { message } }`)
		w.writes("a", "PRIVATE", p, "hello")
		w.Settle()
		time.Sleep(time.Second) // of the bubble: fields wait for others that quote messages
		if got := fmt.Sprint(w.TakeHeard()["b"]); got != `[{"notificationReceived":{"message":"Name of a: hello"}}]` {
			t.Errorf("b hears %s", got)
		}
	})
}
