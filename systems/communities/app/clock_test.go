package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
)

// §8, order of messages: what is decided by time is decided right while the clock goes back.

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
		w.Asked("b", `query($h: ID!) { privateChat(id: $h) { unreadCount messages { items { content } } } }`, vars{"h": p}, "privateChat", `{"messages":{"items":[{"content":"new"}]},"unreadCount":1}`)
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

// Whoever comes back before the cleaning of when they left is done keeps what they joined
// since, and nothing else.
func TestComingBackBeforeEverythingIsLeft(t *testing.T) {
	for _, turned := range []time.Duration{0, back} {
		testWith(t, 0, func(w *world) {
			w.registers("a", "b")
			c := w.founds("a", "Calm", "b")
			old, new, closed := w.opens("a", c), w.opens("a", c), w.opens("a", c, vars{"private": true})
			w.enters(old, "b")
			w.Does("b", ask, vars{"h": closed})
			w.Settle()
			// The cleaning stops as soon as it reads.
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

// 6: whoever loses too often is told so.
func TestConcurrentUpdate(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		n := 0
		var interfere func()
		interfere = func() {
			n++
			w.Does("a", profile, vars{"i": vars{"bio": fmt.Sprint(n)}})
			w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
		}
		disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
		w.Refused("CONCURRENT_UPDATE", "a", profile, vars{"i": vars{"name": "late"}})
		disarm()
		w.Client.Arm(faultdb.Fault{})
		if n < 4 {
			t.Errorf("a change is given up after %d attempts", n)
		}
		w.Asked("a", "{ me { name bio } }", nil, "me", fmt.Sprintf(`{"bio":"%d","name":"Name of a"}`, n))
		w.Whole()
	})
}

// 6, create group chat: it is of a community that is there.
func TestNoChatInACommunityThatIsBeingDeleted(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		c := w.founds("a", "Calm", "b")
		disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() {
			// The memberships are still there.
			w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() { w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal)) }))
			w.Does("a", `mutation($c: ID!) { deleteCommunity(id: $c) }`, vars{"c": c})
		}))
		w.Refused("NOT_FOUND", "b", openChat, vars{"c": c, "i": vars{"name": "n", "description": "d"}})
		disarm()
		w.Settle()
		w.Whole()
	})
}

// 2.3: what has expired is neither counted nor moved, although it is still stored.
func TestExpiredNotificationsAreNotTouched(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		w.writes("a", "PRIVATE", p, "old")
		w.Settle()
		w.Advance(89 * 24 * time.Hour)
		w.logsIn("a", "b")
		w.writes("a", "PRIVATE", p, "new")
		w.Settle()
		w.Advance(24 * time.Hour)
		w.logsIn("b")
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":1,"unseen":1}`)
		w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `1`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `1`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `0`)
		w.Whole()
	})
}

// Without ids the newest 100 that are unseen are marked, however many newer ones were seen.
func TestSeenInPortions(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		for n := range 105 {
			w.writes("a", "PRIVATE", p, fmt.Sprint(n))
		}
		w.Settle()
		for _, want := range []string{"100", "5", "0"} {
			w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", want)
		}
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":100,"unseen":0}`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `100`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `5`)
		w.Whole()
	})
}

// §8, clientId and chat gone: what is kept beside messages goes with them.
func TestNothingIsLeftOfAChatThatIsGone(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		v := vars{"t": "GROUP", "h": h, "x": "hi", "k": "one"}
		v["m"] = w.Does("a", send, v).Text("sendMessage.id")
		w.Does("b", react, v, vars{"r": "LIKE"})
		w.Does("a", `mutation($h: ID!) { deleteGroupChat(id: $h) }`, v)
		w.Settle()
		for table, rows := range w.Rows() {
			for _, row := range rows {
				text := fmt.Sprint(row)
				if strings.Contains(text, h) && !strings.HasPrefix(fmt.Sprint(row["PK"]), "USER#") && !strings.Contains(text, "fanOut") {
					t.Errorf("left in %s: %v", table, row)
				}
			}
		}
		w.Whole()
	})
}

// §8, tokens: whoever signs in need not be signed in, however old their token is.
func TestSigningInWithABadToken(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		in := w.Does("", login, vars{"l": "a", "p": password})
		w.SignIn("stranger", "expired")
		w.Does("stranger", refresh, vars{"r": in.Text("login.refreshToken")})
		w.Refused("UNAUTHENTICATED", "stranger", login, vars{"l": "a", "p": "wrong horse"})
		if got := w.Status("expired", `mutation { login(login: "a", password: "x") { accessToken } revokeSessions }`); got != 401 {
			t.Errorf("what needs a token, beside what needs none: %d", got)
		}
	})
}

// §8, administrators: who is one by the settings is stored as what they are otherwise.
func TestAdministratorsBySettings(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "u")
		const may = `mutation($u: ID!, $p: [Permission!]!) { setUserPermissions(userId: $u, permissions: $p) { role permissions } }`
		all := `["READ_CHAT_MESSAGE","WRITE_CHAT_MESSAGE","CREATE_GROUP_CHAT","JOIN_GROUP_CHAT","CREATE_PRIVATE_CHAT","CREATE_COMMUNITY","JOIN_COMMUNITY","BAN_USER"]`
		w.Is(w.Does("oz", may, vars{"u": w.ids["oz"], "p": []string{"BAN_USER"}}), "setUserPermissions", `{"permissions":`+all+`,"role":"ADMIN"}`)
		w.Host.Operators = nil
		w.Asked("oz", "{ me { role permissions } }", nil, "me", `{"permissions":[],"role":"REGULAR_USER"}`)
		w.Refused("FORBIDDEN PERMISSION_MISSING", "oz", may, vars{"u": w.ids["u"], "p": []string{}})
		w.Host.Operators = []string{w.ids["u"]}
		w.Asked("u", "{ me { isAdmin } }", nil, "me.isAdmin", `true`)
	})
}
