package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
)

// The settled points of docs/rules/communities.md, row by row.

const (
	login   = `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { accessToken refreshToken user { id } } }`
	refresh = `mutation($r: String!) { refreshSession(refreshToken: $r) { accessToken refreshToken user { username } } }`
	profile = `mutation($i: UpdateProfileInput!) { updateProfile(input: $i) { username name bio avatarUrl location { city } version } }`
)

// communities 5.4#7, 6#1 and 8#versions,nulls: changes are refused with the current version, null
// clears what may be null, and a renamed user or community frees the old name.
func TestVersionsAndNulls(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		w.Is(w.Does("a", profile, vars{"i": vars{"bio": "hi", "avatarUrl": "https://x.org/a.png", "expectedVersion": 1}}), "updateProfile",
			`{"avatarUrl":"https://x.org/a.png","bio":"hi","location":{"city":"Trenton"},"name":"Name of a","username":"a","version":2}`)
		w.Refused("CONCURRENT_UPDATE 2", "a", profile, vars{"i": vars{"bio": "ho", "expectedVersion": 1}})
		w.Refused("BAD_INPUT REQUIRED", "a", profile, vars{"i": vars{"name": nil}})
		w.Refused("BAD_INPUT REQUIRED", "a", profile, vars{"i": vars{"location": nil}})
		w.Refused("BAD_INPUT INVALID_URL", "a", profile, vars{"i": vars{"avatarUrl": "http://x.org"}})
		w.Refused("CONFLICT USERNAME_TAKEN", "a", profile, vars{"i": vars{"username": "B"}})
		w.Refused("CONFLICT EMAIL_TAKEN", "a", profile, vars{"i": vars{"email": "B@example.com"}})
		w.Is(w.Does("a", profile, vars{"i": vars{"bio": nil, "username": "Anna", "location": york}}), "updateProfile",
			`{"avatarUrl":"https://x.org/a.png","bio":null,"location":{"city":"York"},"name":"Name of a","username":"Anna","version":3}`)
		w.Does("", register, vars{"i": person("a", vars{"email": "free@example.com"})}) // the name is free again
		c := w.founds("b", "Calm")
		const change = `mutation($c: ID!, $i: UpdateCommunityInput!) { updateCommunity(id: $c, input: $i) { name version topic } }`
		w.Refused("FORBIDDEN PERMISSION_MISSING", "a", change, vars{"c": c, "i": vars{"name": "x"}})
		w.Is(
			w.Does("b", change, vars{"c": c, "i": vars{"name": "Quiet", "topic": "OBSESSIVE_COMPULSIVE_DISORDER", "location": york}}),
			"updateCommunity",
			`{"name":"Quiet","topic":"OBSESSIVE_COMPULSIVE_DISORDER","version":2}`,
		)
		w.Refused("CONCURRENT_UPDATE 2", "b", change, vars{"c": c, "i": vars{"name": "x", "expectedVersion": 1}})
		w.founds("b", "calm")
		w.Refused("CONFLICT NAME_TAKEN", "b", change, vars{"c": c, "i": vars{"name": "CALM"}})
		w.Asked("a", `{ communityByName(name: " quiet") { id } }`, nil, "communityByName.id", `"`+c+`"`)
		w.Asked("a", nearby, vars{"c": "UK", "s": "Yorkshire"}, "communities.items.0.name", `"Quiet"`)
		h := w.opens("b", c)
		const rename = `mutation($h: ID!, $i: UpdateGroupChatInput!) { updateGroupChat(id: $h, input: $i) { name private capacity version } }`
		w.Is(w.Does("b", rename, vars{"h": h, "i": vars{"name": "n2", "private": true, "capacity": 2}}), "updateGroupChat", `{"capacity":2,"name":"n2","private":true,"version":2}`)
		w.Refused("CONCURRENT_UPDATE 2", "b", rename, vars{"h": h, "i": vars{"name": "x", "expectedVersion": 1}})
		w.Refused("BAD_INPUT INVALID_CAPACITY", "b", rename, vars{"h": h, "i": vars{"capacity": 11}})
		w.Refused("BAD_INPUT REQUIRED", "b", rename, vars{"h": h, "i": vars{"capacity": nil}})
		w.Whole()
	})
}

// communities 5.4#3 and 8#capacity: the capacity of a chat cannot go below its members.
func TestCapacity(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c", "d")
		h := w.opens("a", w.founds("a", "Calm", "b", "c", "d"), vars{"capacity": 3})
		w.enters(h, "b", "c")
		w.Refused("PRECONDITION_FAILED CAPACITY_TOO_LOW", "a", `mutation($h: ID!) { updateGroupChat(id: $h, input: {capacity: 2}) { id } }`, vars{"h": h})
		w.Refused("LIMIT_EXCEEDED CHAT_FULL", "d", enter, vars{"h": h})
		w.Whole()
	})
}

// communities 5.3#5, 5.9#2 and 8#founders,further-transactions: a community is transferred
// to a member, and deleted once it has no chats.
func TestFounders(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		c := w.founds("a", "Calm", "b")
		const transfer = `mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { founder { username } version } }`
		w.Refused("FORBIDDEN PERMISSION_MISSING", "b", transfer, vars{"c": c, "u": w.ids["b"]})
		w.Refused("NOT_FOUND NOT_MEMBER", "a", transfer, vars{"c": c, "u": w.ids["c"]})
		w.Refused("PRECONDITION_FAILED FOUNDS_COMMUNITY", "a", `mutation { deleteAccount(password: "correct horse") }`)
		w.Is(w.Does("a", transfer, vars{"c": c, "u": w.ids["b"]}), "transferCommunity", `{"founder":{"username":"b"},"version":2}`)
		h := w.opens("b", c)
		const remove = `mutation($c: ID!) { deleteCommunity(id: $c) }`
		w.Refused("PRECONDITION_FAILED COMMUNITY_HAS_CHATS", "b", remove, vars{"c": c})
		w.Refused("FORBIDDEN PERMISSION_MISSING", "a", remove, vars{"c": c})
		w.Does("b", `mutation($h: ID!) { deleteGroupChat(id: $h) }`, vars{"h": h})
		w.Does("b", remove, vars{"c": c})
		w.Settle()
		w.Asked("a", `{ myCommunities { items { id } } }`, nil, "myCommunities.items", `[]`)
		w.founds("c", "CALM")
		w.Whole()
	})
}

// communities 5.9#2, 6#18 and 8#account-gone: with an account its reactions, requests,
// memberships and notifications go; messages stay, without an author, and name and address
// are free.
func TestAccountsEnd(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "u")
		c := w.founds("a", "Calm", "b", "u")
		own, other, closed := w.opens("u", c), w.opens("a", c), w.opens("a", c, vars{"private": true})
		w.enters(own, "b")
		w.enters(other, "u")
		m := w.writes("u", "GROUP", other, "hello")
		v := vars{"t": "GROUP", "h": other, "m": w.writes("a", "GROUP", other, "hi")}
		w.Does("u", react, v, vars{"r": "LIKE"})
		w.Does("u", ask, vars{"h": closed})
		p := w.meets("u", "b")
		w.writes("b", "PRIVATE", p, "are you there?")
		old := w.Token("u")
		w.Refused("FORBIDDEN WRONG_PASSWORD", "u", `mutation { deleteAccount(password: "wrong horse") }`)
		w.Is(w.Does("u", `mutation { deleteAccount(password: "correct horse") }`), "deleteAccount", `true`)
		w.Settle()
		if got := w.Status(old, "{ me { id } }"); got != http.StatusUnauthorized {
			t.Errorf("a token of somebody gone: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "", login, vars{"l": "u", "p": password})
		w.Asked("a", `query($u: ID!) { user(id: $u) { id } }`, vars{"u": w.ids["u"]}, "user", `null`)
		w.Asked("a", oneMessage, v, "message.reactions", `[]`)
		w.Asked("a", `query($h: ID!, $m: ID!) { message(chatType: GROUP, chatId: $h, id: $m) { content author { id } } }`, v, "message.author", `{"id":"`+w.ids["a"]+`"}`)
		w.Asked(
			"a",
			`query($h: ID!, $m: ID!) { message(chatType: GROUP, chatId: $h, id: $m) { content author { id } } }`,
			vars{"h": other, "m": m},
			"message",
			`{"author":null,"content":"hello"}`,
		)
		w.Asked("b", chat, vars{"h": own}, "groupChat.owner.username", `"b"`)
		w.Asked("a", chat, vars{"h": other}, "groupChat.numMembers", `1`)
		w.Is(w.Does("a", requests, vars{"h": closed, "p": false}), "groupChatRequests.items", `[]`)
		w.Asked("b", `{ myPrivateChats { items { otherUser { id } } } }`, nil, "myPrivateChats.items", `[{"otherUser":null}]`)
		w.Refused("NOT_FOUND", "b", send, vars{"t": "PRIVATE", "h": p, "x": "hello?"})
		for _, row := range w.Rows()["communities-Notifications"] {
			if strings.Contains(fmt.Sprint(row["PK"]), w.ids["u"]) {
				t.Errorf("left: %v", row)
			}
		}
		w.registers("u") // name and address are free
		w.Whole()
	})
}

// communities 2#3, 5.5#7 and 8#chat-gone,request-ids: a request outlives its chat, without
// a notification, and no id but its own leads to it.
func TestRequestsOfAChatThatIsGone(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		r := w.Does("b", ask, vars{"h": h, "n": "please"}).Text("requestToJoin.id")
		const see = `mutation($r: ID!) { markChatRequestSeen(id: $r) { seen } }`
		w.Refused("FORBIDDEN PERMISSION_MISSING", "b", see, vars{"r": r})
		w.Is(w.Does("a", see, vars{"r": r}), "markChatRequestSeen.seen", `true`)
		w.Asked("b", chat, vars{"h": h}, "groupChat.myPendingRequest.id", `"`+r+`"`)
		w.Does("a", `mutation($h: ID!) { deleteGroupChat(id: $h) }`, vars{"h": h})
		w.Settle()
		w.Asked(
			"b",
			`query($r: ID!) { chatRequest(id: $r) { status note seen chat { id } } }`,
			vars{"r": r},
			"chatRequest",
			`{"chat":null,"note":"please","seen":true,"status":"REJECTED"}`,
		)
		if got := w.Does("b", notices).List("notifications.items", "type"); got != "NEW_COMMUNITY_NEAR_YOU" {
			t.Errorf("notified of %s", got)
		}
		for _, forged := range []string{"", "x", r[:len(r)-4], r + "A"} {
			w.Refused("NOT_FOUND", "a", see, vars{"r": forged})
			w.Asked("a", `query($r: ID!) { chatRequest(id: $r) { id } }`, vars{"r": forged}, "chatRequest", `null`)
		}
		w.Whole()
	})
}

// communities 5.4#4 and 8#further-transactions: whoever joins an opened chat has their
// request accepted.
func TestJoiningAnOpenedChat(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		r := w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")
		w.Refused("NOT_FOUND", "out", accept, vars{"r": r}) // not revealed (communities 5.2#11)
		w.Refused("FORBIDDEN NOT_CHAT_MEMBER", "out", requests, vars{"h": h})
		w.Does("a", `mutation($h: ID!) { updateGroupChat(id: $h, input: {private: false}) { id } }`, vars{"h": h})
		w.Is(w.Does("b", enter, vars{"h": h}), "joinGroupChat.numMembers", `2`)
		w.Asked("b", `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": r}, "chatRequest.status", `"ACCEPTED"`)
		w.Refused("CONFLICT REQUEST_ALREADY_DECIDED", "a", accept, vars{"r": r})
		w.Whole()
	})
}

// communities 4.1#2, 5.6#6, 5.8#1 and 8#unread-counts: counts rise with the message in
// chats of up to 25 members, and by the lane in larger ones. Members who muted a chat are
// not notified.
func TestUnreadCounts(t *testing.T) {
	for _, members := range []int{3, 40} {
		testWith(t, 100, func(w *world) {
			w.registers("a")
			names := []string{}
			for n := range members - 1 {
				names = append(names, fmt.Sprint("p", n))
			}
			w.registers(names...)
			h := w.opens("a", w.founds("a", "Calm", names...))
			w.enters(h, names...)
			var ids []string
			for n := range 6 {
				ids = append(ids, w.writes([]string{"a", "p0"}[n%2], "GROUP", h, fmt.Sprint(n)))
			}
			w.Settle()
			unread := func(name, want string) {
				t.Helper()
				w.Asked(name, chat, vars{"h": h}, "groupChat.unreadCount", want)
			}
			unread("a", "3")
			unread("p0", "3")
			unread("p1", "6")
			v := vars{"t": "GROUP", "h": h}
			w.Does("p1", markRead, v, vars{"m": ids[1:3]})
			unread("p1", "3")
			w.Does("p1", markRead, v, vars{"m": ids[:1]}) // only forward
			unread("p1", "3")
			w.Does("a", erase, v, vars{"m": ids[4]})
			w.Settle()
			unread("p1", "2")
			unread("p0", "2")
			unread("a", "3")
			w.Does("p1", markRead, v, vars{"m": ids[5:]})
			unread("p1", "0")
			w.Does("p1", `mutation($h: ID!) { muteChat(chatType: GROUP, chatId: $h, muted: true) }`, v)
			before := len(w.Rows()["communities-Notifications"])
			w.writes("a", "GROUP", h, "quiet")
			w.Settle()
			if n := len(w.Rows()["communities-Notifications"]) - before; n != members-2 { // neither the author nor who muted the chat (communities 5.8#1)
				t.Errorf("%d were notified, want %d", n, members-2)
			}
			w.Whole()
		})
	}
}

// communities 2#1, 8#order-of-messages,after-before: times rise although the clock goes
// back, and both bounds of a list of messages are exclusive.
func TestTimesRise(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		var ids []string
		for range 4 {
			ids = append(ids, w.writes("a", "PRIVATE", p, "x"))
			w.Settle()
			w.Advance(-90 * time.Second)
		}
		d := w.Does("b", messages, vars{"t": "PRIVATE", "h": p, "o": "ASC"})
		if got := d.List("messages.items", "id"); got != strings.Join(ids, " ") {
			t.Errorf("order %s, want %v", got, ids)
		}
		var targets []string
		for _, n := range w.Does("b", notices).Items("notifications.items") {
			targets = append([]string{n.Text("target.id")}, targets...)
		}
		if strings.Join(targets, " ") != strings.Join(ids, " ") {
			t.Errorf("notified in the order %v, want %v", targets, ids)
		}
		span := w.Does("b", `query($h: ID!, $a: DateTime) { messages(chatType: PRIVATE, chatId: $h, order: ASC, after: $a) { items { id createdAt } } }`, vars{"h": p})
		after := span.Text("messages.items.1.createdAt")
		w.Is(
			w.Does("b", `query($h: ID!, $a: DateTime) { messages(chatType: PRIVATE, chatId: $h, order: ASC, after: $a) { items { id } } }`, vars{"h": p, "a": after}),
			"messages.items.0.id",
			`"`+ids[2]+`"`,
		) // communities 8#after-before: exclusive
		w.Is(
			w.Does("b", `query($h: ID!, $a: DateTime) { messages(chatType: PRIVATE, chatId: $h, before: $a) { items { id } } }`, vars{"h": p, "a": after}),
			"messages.items",
			`[{"id":"`+ids[0]+`"}]`,
		)
		for _, before := range []string{after, span.Text("messages.items.0.createdAt"), "1970-01-01T00:00:00Z"} {
			w.Is(
				w.Does(
					"b",
					`query($h: ID!, $a: DateTime, $b: DateTime) { messages(chatType: PRIVATE, chatId: $h, after: $a, before: $b) { items { id } nextToken } }`,
					vars{"h": p, "a": after, "b": before},
				),
				"messages",
				`{"items":[],"nextToken":null}`,
			)
		}
		w.Does("b", `mutation($h: ID!) { hidePrivateChat(id: $h) }`, vars{"h": p})
		w.Is(w.Does("b", `query($h: ID!, $a: DateTime) { messages(chatType: PRIVATE, chatId: $h, before: $a) { items { id } } }`, vars{"h": p, "a": after}), "messages.items", `[]`)
		w.Whole()
	})
}

// communities 8#after-before: an end of a span may lie in any year that the text of a time can
// reach, and in its zone even in the year 10000.
func TestSpansOfDistantTimes(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.meets("a", "b")
		w.writes("a", "PRIVATE", h, "hello")
		for span, want := range map[string]int{
			`after: "0000-01-01T00:00:00+14:00"`: 1, `before: "0000-01-01T00:00:00+14:00"`: 0,
			`after: "9999-12-31T23:59:59.9999Z"`: 0, `before: "9999-12-31T23:59:59.9999Z"`: 1,
			`after: "9999-12-31T23:59:59-14:00"`: 0, `before: "9999-12-31T23:59:59-14:00"`: 1,
		} {
			d := w.Does("a", `query($h: ID!) { messages(chatType: PRIVATE, chatId: $h, `+span+`) { items { id } } }`, vars{"h": h})
			if got := len(d.Items("messages.items")); got != want {
				t.Errorf("%s: %d messages, want %d", span, got, want)
			}
		}
	})
}

// communities 5.6#1 and 8#moderation,clientId,reasons: who sends and deletes messages of a
// group chat, and a message sent twice is stored once.
func TestMessages(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "m", "a", "b", "out")
		w.Does("oz", `mutation($u: ID!) { setUserRole(userId: $u, role: MODERATOR) { id } }`, vars{"u": w.ids["m"]})
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		v := vars{"t": "GROUP", "h": h, "x": "hello"}
		w.Refused("FORBIDDEN NOT_CHAT_MEMBER", "out", send, v)
		w.Refused("NOT_FOUND", "b", send, v, vars{"h": "nothing"})
		for _, x := range []string{"", "  ", strings.Repeat("é", 501)} {
			w.Refused("BAD_INPUT INVALID_LENGTH", "b", send, v, vars{"x": x})
		}
		first := w.Does("b", send, v, vars{"k": "one"}).Text("sendMessage.id")
		w.Counted(w.AtOnce(3, func(int) apptest.Answer { return w.Asks("b", send, v, vars{"k": "one", "x": "again"}) }), map[string]int{"": 3})
		w.Is(w.Does("b", send, v, vars{"k": "one", "x": "again"}), "sendMessage.id", `"`+first+`"`)
		w.Refused("NOT_FOUND", "a", send, v, vars{"r": "nothing"})
		reply := w.Does("a", send, v, vars{"r": first})
		w.Is(reply, "sendMessage.replyTo.id", `"`+first+`"`)
		if got := len(w.Does("b", messages, v).At("messages.items").([]any)); got != 2 {
			t.Errorf("%d messages, want 2", got)
		}
		w.Refused("FORBIDDEN NOT_CHAT_MEMBER", "m", messages, v)
		w.Refused("FORBIDDEN NOT_CHAT_MEMBER", "out", erase, v, vars{"m": first})
		w.Is(w.Does("m", erase, v, vars{"m": first}), "deleteMessage.deleted", `true`)
		w.Asked(
			"out",
			`query($h: ID!) { groupChat(id: $h) { unreadCount members { items { role } } messages { items { id } } } }`,
			v,
			"groupChat",
			`{"members":null,"messages":null,"unreadCount":null}`,
		)
		w.Refused("BAD_INPUT INVALID_COUNT", "a", markRead, v, vars{"m": []string{}})
		w.Whole()
	})
}

// communities 5.6#4: a private chat is hidden only from the user who hides it.
func TestHiding(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		v := vars{"t": "PRIVATE", "h": p, "m": w.writes("a", "PRIVATE", p, "one")}
		w.Does("b", `mutation($h: ID!) { hidePrivateChat(id: $h) }`, v)
		w.Is(w.Does("b", messages, v), "messages.items", `[]`)
		w.Asked("b", oneMessage, v, "message", `null`)
		w.Asked("b", `query($h: ID!) { privateChat(id: $h) { unreadCount lastMessageAt } }`, v, "privateChat", `{"lastMessageAt":null,"unreadCount":0}`)
		w.Is(w.Does("a", messages, v), "messages.items.0.content", `"one"`)
		w.writes("a", "PRIVATE", p, "two")
		if got := w.Does("b", messages, v).List("messages.items", "content"); got != "two" {
			t.Errorf("after hiding: %q", got)
		}
		w.Whole()
	})
}

// communities 2.3#2, 5.8#2, 5.9#1 and 8#notifications: what was deleted does not return
// when a chunk is repeated, and notifications expire.
func TestNotificationsDoNotReturn(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		for n := range 12 {
			disarm := w.failing(n)
			w.Asks("a", send, vars{"t": "PRIVATE", "h": p, "x": fmt.Sprint("m", n)})
			disarm()
			w.Settle()
			for _, id := range strings.Fields(w.Does("b", notices).List("notifications.items", "id")) {
				w.Does("b", `mutation($n: ID!) { deleteNotification(id: $n) }`, vars{"n": id})
			}
			w.Settle()
		}
		w.Is(w.Does("b", notices), "notifications.items", `[]`)
		w.writes("a", "PRIVATE", p, "last")
		w.Settle()
		w.Advance(90 * 24 * time.Hour)
		w.logsIn("a", "b")
		w.Is(w.Does("b", notices), "notifications.items", `[]`)
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":0,"unseen":0}`)
		w.Do(apptest.Job("communities.tidy"))
		for _, row := range w.Rows()["ops"] {
			if strings.HasPrefix(fmt.Sprint(row["partitionKey"]), "communities/fanOut") {
				t.Errorf("left: %v", row)
			}
		}
	})
}

// A chunk that was written is not written again, even if its call failed: communities 8#notifications.
func TestNotificationsAreNotRepeated(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		disarm := w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal).Late()) // after that of the message
		w.writes("a", "PRIVATE", p, "hi")
		w.Settle()
		if !disarm() {
			t.Fatal("the notification did not fail")
		}
		if got := w.Does("b", notices).Items("notifications.items"); len(got) != 1 {
			t.Errorf("b is notified %d times", len(got))
		}
		w.Whole()
	})
}

// failing makes one of the next store calls fail, before or after it takes effect.
func (w *world) failing(n int) (disarm func() bool) {
	fault := faultdb.On("", 1+n, faultdb.Internal)
	if n%2 == 0 {
		fault = fault.Late()
	}
	return w.Client.Arm(fault)
}

// communities 5.6#7: new members read earlier messages.
func TestNewMembersReadEarlierMessages(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.writes("a", "GROUP", h, "before")
		w.enters(h, "b")
		w.Asked("b", messages, vars{"t": "GROUP", "h": h}, "messages.items.0.content", `"before"`)
		w.Whole()
	})
}
