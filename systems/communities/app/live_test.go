package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
)

// Members receive events until they leave (communities 4.4#1).
func TestChatEvents(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out", "oz")
		h := w.opens("a", w.founds("a", "Calm", "b", "out"))
		listen := fmt.Sprintf(`subscription { chatEvents(chatType: GROUP, chatId: "%s") { type user { username } messageId message { content } reaction { type } } }`, h)
		w.Listen("out", listen)
		if heard := fmt.Sprint(w.TakeHeard()); !strings.Contains(heard, "NOT_CHAT_MEMBER") {
			t.Errorf("an outsider hears %s", heard)
		}
		w.Listen("a", listen)
		hears := func(want ...string) {
			t.Helper()
			w.Settle()
			if got := w.TakeHeard()["a"]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("heard %v\nwant %v", got, want)
			}
		}
		event := func(kind, user, id, content, reaction string) string {
			message := "null"
			if id != "null" {
				id, message = `"`+id+`"`, `{"content":`+content+`}`
			}
			if reaction != "null" {
				reaction = `{"type":"` + reaction + `"}`
			}
			return fmt.Sprintf(`{"chatEvents":{"type":%q,"user":{"username":%q},"messageId":%s,"message":%s,"reaction":%s}}`, kind, user, id, message, reaction)
		}
		w.enters(h, "b")
		hears(event("MEMBER_JOINED", "b", "null", "", "null"))
		m := w.writes("b", "GROUP", h, "hi")
		hears(event("MESSAGE_CREATED", "b", m, `"hi"`, "null"))
		v := vars{"t": "GROUP", "h": h, "m": m, "x": "ho", "r": "WOW"}
		w.Does("b", edit, v)
		hears(event("MESSAGE_EDITED", "b", m, `"ho"`, "null"))
		w.Does("a", react, v)
		hears(event("REACTION_SET", "a", m, `"ho"`, "WOW"))
		w.Does("a", unreact, v)
		hears(event("REACTION_REMOVED", "a", m, `"ho"`, "null"))
		w.Does("b", `mutation($h: ID!) { sendTyping(chatType: GROUP, chatId: $h) }`, v)
		hears(event("TYPING", "b", "null", "", "null"))
		w.Does("b", erase, v)
		hears(event("MESSAGE_DELETED", "b", m, "null", "null"))
		w.Listen("b", listen)
		w.Does("a", `mutation($h: ID!, $u: ID!) { removeGroupChatMember(id: $h, userId: $u) { numMembers } }`, v, vars{"u": w.ids["b"]})
		w.writes("a", "GROUP", h, "alone")
		w.Settle()
		if got := w.TakeHeard()["b"]; len(got) != 0 {
			t.Errorf("after leaving, b hears %v", got)
		}
		w.enters(h, "b")
		w.Listen("b", listen)
		w.Does("oz", `mutation($u: ID!) { banUser(userId: $u) { id } }`, vars{"u": w.ids["b"]})
		w.writes("a", "GROUP", h, "secret")
		w.Settle()
		if got := fmt.Sprint(w.TakeHeard()["b"]); strings.Contains(got, "secret") {
			t.Errorf("a banned member hears %s", got)
		}
		w.Whole()
	})
}

// communities 4.4#2-3: users hear of their own notifications and requests, and those who
// decide of the requests to a chat.
func TestRequestsAndNotificationsLive(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"), vars{"private": true})
		forChat := fmt.Sprintf(`subscription { chatRequestChanged(chatId: "%s") { status user { username } } }`, h)
		w.Listen("c", forChat)
		if heard := fmt.Sprint(w.TakeHeard()); !strings.Contains(heard, "FORBIDDEN") {
			t.Errorf("somebody who does not decide hears %s", heard)
		}
		w.Listen("a", forChat)
		w.Listen("a", `subscription { notificationReceived { type actor { username } } }`)
		w.Listen("b", `subscription { chatRequestChanged { status } }`)
		w.Listen("b", `subscription { notificationReceived { type } }`)
		w.Listen("c", `subscription { notificationReceived { type } }`)
		r := w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")
		w.Settle()
		time.Sleep(time.Second) // of the bubble: fields wait for others that name users
		before := w.TakeHeard() // listeners see requests as they are by then
		w.Does("a", accept, vars{"r": r})
		w.Settle()
		time.Sleep(time.Second) // of the bubble: fields wait for others that name users
		heard := w.TakeHeard()
		for name, want := range map[string]string{
			"a": `{"chatRequestChanged":{"status":"PENDING","user":{"username":"b"}}} {"notificationReceived":{"type":"NEW_CHAT_REQUEST","actor":{"username":"b"}}} ` +
				`{"chatRequestChanged":{"status":"ACCEPTED","user":{"username":"b"}}}`,
			"b": `{"chatRequestChanged":{"status":"PENDING"}} {"chatRequestChanged":{"status":"ACCEPTED"}} {"notificationReceived":{"type":"CHAT_REQUEST_ACCEPTED"}}`,
			"c": ``,
		} {
			if got := strings.Join(slices.Concat(before[name], heard[name]), " "); got != want {
				t.Errorf("%s hears %s\nwant %s", name, got, want)
			}
		}
		w.Whole()
	})
}

// Whoever subscribes while a change is being committed receives it.
func TestWhoSubscribesDuringACommitHears(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		w.DuringCommit(func() {
			w.Listen("b", fmt.Sprintf(`subscription { chatEvents(chatType: GROUP, chatId: "%s") { type } }`, h))
		})
		w.writes("a", "GROUP", h, "hi")
		w.Settle()
		if heard := fmt.Sprint(w.TakeHeard()["b"]); heard != `[{"chatEvents":{"type":"MESSAGE_CREATED"}}]` {
			t.Errorf("heard %s", heard)
		}
	})
}

// A failure of the store while an event is shown delays the event.
func TestEventsSurviveTheStore(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		types := func() { w.Does("a", `mutation($h: ID!) { sendTyping(chatType: GROUP, chatId: $h) }`, vars{"h": h}) }
		end := w.Client.Record()
		types()
		own := len(end())
		w.Listen("b", fmt.Sprintf(`subscription { chatEvents(chatType: GROUP, chatId: "%s") { type } }`, h))
		disarm := w.Client.Arm(faultdb.On("", own+1, faultdb.Internal))
		types()
		if heard := w.TakeHeard()["b"]; len(heard) != 0 || !disarm() {
			t.Errorf("nothing failed, heard %v", heard)
		}
		time.Sleep(time.Second) // of the bubble
		if heard := fmt.Sprint(w.TakeHeard()["b"]); heard != `[{"chatEvents":{"type":"TYPING"}}]` {
			t.Errorf("heard %s", heard)
		}
	})
}
