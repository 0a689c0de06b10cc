package app_test

import (
	"testing"

	"stoa/internal/apptest"
)

// messaging 5.2#2 and 5.5#setAccess,removeSubscriber: who has lost A meanwhile takes nothing from the
// other admin, nor do the two of a two-person topic from each other.
func TestAdminsDoNotBanEachOther(t *testing.T) {
	for name, c := range map[string]struct{ first, second, want string }{
		"by bans":     {setAccess, setAccess, "FORBIDDEN NOT_SHARER"},
		"by removals": {remove, remove, "FORBIDDEN NOT_ADMIN"},
		"after a ban": {setAccess, remove, "FORBIDDEN NOT_ADMIN"},
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(w *world) {
				w.joins("a", "b", "c")
				topic := w.group("a", nil, "b", "c")
				for _, admin := range []string{"b", "c"} {
					w.Does("a", setAccess, vars{"t": topic, "u": w.ids[admin], "g": "JRWPAS"})
					w.Does(admin, setMine, vars{"t": topic, "w": "JRWPAS"})
				}
				over := func(query, user string) vars {
					return apptest.Used(query, vars{"t": topic, "u": w.ids[user], "g": "N"})
				}
				happened := w.Before(1, func(*apptest.World) { w.Does("b", c.first, over(c.first, "c")) })
				w.Refused(c.want, "c", c.second, over(c.second, "b"))
				if !happened() {
					t.Error("nobody was banned meanwhile")
				}
				w.Asked("a", `query($t: ID!, $u: ID!) { subscription(topicId: $t, userId: $u) { access { mode } } }`, vars{"t": topic, "u": w.ids["b"]},
					"subscription.access.mode", `"JRWPAS"`)
				w.Whole()
			})
		})
	}
	t.Run("in a chat of two", func(t *testing.T) {
		test(t, func(w *world) {
			w.joins("a", "b")
			topic := w.chats("a", "b")
			happened := w.Before(1, func(*apptest.World) { w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "N"}) })
			w.Refused("FORBIDDEN NOT_SHARER", "b", setAccess, vars{"t": topic, "u": w.ids["a"], "g": "N"})
			if !happened() {
				t.Error("nobody was banned meanwhile")
			}
			w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPA"}) // who still may
			w.Whole()
		})
	})
}

// messaging 4.1: what startChat answers counts a subscriber who is back only if they may join.
func TestStartingAChatAgainWithoutJ(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		w.account("b", vars{"defaultAccess": vars{"auth": "N"}})
		topic := w.chats("a", "b")
		w.Does("a", unsubscribe, vars{"t": topic})
		d := w.Does("a", chat, vars{"u": w.ids["b"]})
		w.Is(d, "startChat.subscriberCount", "1")
		w.Asked("a", `query($t: ID!) { topic(id: $t) { subscriberCount } }`, vars{"t": topic}, "topic.subscriberCount", "1")
		w.Whole()
	})
}
