package app_test

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
)

// communities 8#order-of-messages: decisions that depend on time are right even if the clock goes
// back.

const back = -time.Hour / 2

func TestWhoeverComesInBeforeTheClockGoesBackReadsOn(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		p := w.meets("a", "b")
		w.Advance(back)
		for _, c := range []struct{ kind, id string }{{"GROUP", h}, {"PRIVATE", p}} {
			w.writes("a", c.kind, c.id, "hello")
		}
		w.Settle()
		w.Asked("b", chat, vars{"h": h}, "groupChat.unreadCount", `1`)
		w.Asked("b", `query($h: ID!) { privateChat(id: $h) { unreadCount } }`, vars{"h": p}, "privateChat.unreadCount", `1`)
		if got := w.Does("b", notices).List("notifications.items", "type"); !strings.Contains(got, "NEW_GROUP_MESSAGE") || !strings.Contains(got, "NEW_PRIVATE_MESSAGE") {
			t.Errorf("b is notified of %s", got)
		}
		w.Whole()
	})
}

func TestHidingBeforeTheClockGoesBackHidesNothingNew(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		const hide = `mutation($h: ID!) { hidePrivateChat(id: $h) }`
		w.Does("b", hide, vars{"h": p}) // nothing yet
		w.writes("a", "PRIVATE", p, "old")
		w.Does("b", hide, vars{"h": p})
		w.Advance(back)
		w.writes("a", "PRIVATE", p, "new")
		w.Is(w.Does("b", messages, vars{"t": "PRIVATE", "h": p}), "messages.items.0.content", `"new"`)
		w.Asked(
			"b",
			`query($h: ID!) { privateChat(id: $h) { unreadCount messages { items { content } } } }`,
			vars{"h": p},
			"privateChat",
			`{"messages":{"items":[{"content":"new"}]},"unreadCount":1}`,
		)
		w.Whole()
	})
}

func TestLeavingACommunityAfterTheClockWentBack(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		c := w.founds("a", "Calm", "b")
		h, closed := w.opens("a", c), w.opens("a", c, vars{"private": true})
		w.enters(h, "b")
		w.Does("b", ask, vars{"h": closed})
		w.Advance(back)
		w.Does("b", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
		w.Settle()
		w.Asked("a", chat, vars{"h": h}, "groupChat.numMembers", `1`)
		w.Is(w.Does("a", requests, vars{"h": closed}), "groupChatRequests.items", `[]`)
		w.Whole()
	})
}

// A user who rejoins before the removal after their leaving is complete keeps the chats
// they have joined since, and no others.
func TestComingBackBeforeEverythingIsLeft(t *testing.T) {
	for _, turned := range []time.Duration{0, back} {
		testWith(t, 0, func(w *world) {
			w.registers("a", "b")
			c := w.founds("a", "Calm", "b")
			old, new, closed := w.opens("a", c), w.opens("a", c), w.opens("a", c, vars{"private": true})
			w.enters(old, "b")
			w.Does("b", ask, vars{"h": closed})
			w.Settle()
			// The removal stops as soon as it reads.
			left := false
			disarm := w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() { left = true; w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal)) }))
			w.Does("b", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
			disarm()
			if !left {
				t.Fatal("the cleaning was not stopped")
			}
			w.Advance(turned)
			w.Does("b", `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, vars{"c": c})
			w.enters(new, "b")
			w.Advance(time.Hour)
			w.logsIn("a", "b")
			w.Settle()
			w.Asked("b", chat, vars{"h": new}, "groupChat.isMember", `true`)
			if turned == 0 {
				w.Asked("b", chat, vars{"h": old}, "groupChat.isMember", `false`)
				w.Is(w.Does("a", requests, vars{"h": closed}), "groupChatRequests.items", `[]`)
			}
			w.Whole()
		})
	}
}
