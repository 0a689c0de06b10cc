package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The acceptance scenarios of the system, by number. Races run a hundred times.

const rounds = 100

const (
	requests   = `query($h: ID!, $p: Boolean) { groupChatRequests(chatId: $h, pendingOnly: $p) { items { id status user { username } } } }`
	myRequests = `query($p: Boolean) { myChatRequests(pendingOnly: $p) { items { id status chat { id } } } }`
	accept     = `mutation($r: ID!) { acceptChatRequest(id: $r) { status decidedBy { username } } }`
	reject     = `mutation($r: ID!) { rejectChatRequest(id: $r) { status } }`
	chat       = `query($h: ID!) { groupChat(id: $h) { numMembers capacity isMember isFull owner { username } unreadCount version myPendingRequest { id } ` +
		`members(limit: 100) { items { user { username } role } } } }`
	notices = `query($f: NotificationFilter, $l: Int, $t: String) { notifications(filter: $f, limit: $l, ` +
		`nextToken: $t) { items { id type message read seen createdAt target { kind id parentId } actor { username } } nextToken } }`
	messages = `query($t: ChatType!, $h: ID!, $l: Int, $k: String, $o: SortOrder) { messages(chatType: $t, chatId: $h, limit: $l, nextToken: $k, ` +
		`order: $o) { items { id content read deleted edited author { username } } nextToken } }`
	oneMessage = `query($t: ChatType!, $h: ID!, $m: ID!) { message(chatType: $t, chatId: $h, id: $m) { content read deleted edited editedAt reactions { type user { username } } ` +
		`reactionCounts { type count } myReaction } }`
	react    = `mutation($t: ChatType!, $h: ID!, $m: ID!, $r: ReactionType!) { reactToMessage(chatType: $t, chatId: $h, id: $m, type: $r) { myReaction } }`
	unreact  = `mutation($t: ChatType!, $h: ID!, $m: ID!) { removeReaction(chatType: $t, chatId: $h, id: $m) { id } }`
	edit     = `mutation($t: ChatType!, $h: ID!, $m: ID!, $x: String!) { editMessage(chatType: $t, chatId: $h, id: $m, content: $x) { content edited } }`
	erase    = `mutation($t: ChatType!, $h: ID!, $m: ID!) { deleteMessage(chatType: $t, chatId: $h, id: $m) { content deleted } }`
	markRead = `mutation($t: ChatType!, $h: ID!, $m: [ID!]!) { markMessagesRead(chatType: $t, chatId: $h, ids: $m) }`
	nearby   = `query($c: String, $s: String, $y: String, $t: CommunityTopic, $l: Int, $k: String) { communities(country: $c, state: $s, city: $y, topic: $t, limit: $l, ` +
		`nextToken: $k) { items { name } nextToken } }`
)

// communities 7#1, 5.1#1-2, 5.2#1 and 6#18: of names that differ only in case, one is
// registered, and nothing is left of the other.
func TestScenario1UsernamesAreUniqueInAnyCase(t *testing.T) {
	test(t, func(w *world) {
		for n := range rounds {
			name := fmt.Sprint("ann", n)
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				called := []string{name, strings.ToUpper(name)}[i]
				return w.Asks("", register, vars{"i": person(called, vars{"email": fmt.Sprintf("%d.%d@example.com", n, i)})})
			}), map[string]int{"": 1, "CONFLICT USERNAME_TAKEN": 1})
		}
		if n := len(w.Rows()["communities-Users"]); n != 3*rounds {
			t.Errorf("%d items, want a user and two guards in each of %d rounds", n, rounds)
		}
		w.registers("cid")
		w.Refused("CONFLICT EMAIL_TAKEN", "", register, vars{"i": person("bob", vars{"email": "CID@EXAMPLE.com"})})
		w.Refused("CONFLICT USERNAME_TAKEN", "", register, vars{"i": person("ＡＮＮ0")}) // full-width letters fold (communities 8#usernames)
		w.Whole()
	})
}

// communities 7#2, 2.2#2, 3#1 and 5.3#1: communities are found by country, state and city,
// and not by part of a state.
func TestScenario2CommunitiesOfAPlace(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		w.founds("a", "Calm")
		w.Does("a", found, vars{"i": vars{"name": "Moor", "description": "d", "topic": "ANXIETY", "location": york}})
		w.Does("a", found, vars{"i": vars{"name": "Shire", "description": "d", "topic": "ANXIETY", "location": vars{"city": "Leeds", "state": "Yorkshire", "country": "uk"}}})
		for _, c := range []struct {
			v    vars
			want string
		}{
			{vars{"c": "usa"}, "Calm"}, {vars{"c": " USA ", "s": "new  jersey"}, "Calm"}, {vars{"c": "usa", "s": "New Jersey", "y": "TRENTON"}, "Calm"},
			{vars{"c": "usa", "s": "New"}, ""}, {vars{"c": "UK", "s": "York"}, ""}, {vars{"c": "UK"}, "Shire Moor"}, {vars{"c": "ＵＫ", "t": "ANXIETY", "l": 1}, "Shire"},
			{vars{"t": "PTSD"}, "Calm"}, {vars{"c": "UK", "t": "PTSD"}, ""},
		} {
			if got := w.Does("a", nearby, c.v).List("communities.items", "name"); got != c.want {
				t.Errorf("%v finds %q, want %q", c.v, got, c.want)
			}
		}
		w.Whole()
	})
}

// communities 7#3 and 5.3#1: a city needs its state, and a state its country.
func TestScenario3ACityNeedsItsState(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		for _, v := range []vars{{"c": "USA", "y": "Trenton"}, {"y": "Trenton"}, {"s": "New Jersey"}, {"s": "New Jersey", "t": "PTSD"}, {}} {
			w.Refused("BAD_INPUT LOCATION_INCOMPLETE", "a", nearby, v)
		}
	})
}

// communities 7#4 and 5.3#2: users of the same city are notified of a new community, its
// founder is not.
func TestScenario4NewsOfACommunityNearby(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		w.Does("", register, vars{"i": person("far", vars{"location": york})})
		id := w.founds("a", "Calm")
		w.Settle()
		d := w.Does("b", notices)
		w.Is(d, "notifications.items.0.type", `"NEW_COMMUNITY_NEAR_YOU"`)
		w.Is(d, "notifications.items.0.target", `{"id":"`+id+`","kind":"COMMUNITY","parentId":null}`)
		w.Is(d, "notifications.items.0.actor.username", `"a"`)
		w.Is(w.Does("a", notices), "notifications.items", `[]`)
		if n := len(w.Rows()["communities-Notifications"]); n != 1 {
			t.Errorf("%d notifications, want one", n)
		}
		w.Whole()
	})
}

// communities 7#5, 5.2#8, 5.4#1 and 6#4: a member of the community owns the group chat they
// create, and others cannot create one.
func TestScenario5GroupChatsAreOfMembers(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out")
		c := w.founds("a", "Calm", "b")
		v := vars{"c": c, "i": vars{"name": "n", "description": "d"}}
		d := w.Does("b", openChat, v)
		w.Is(d, "createGroupChat.owner.id", `"`+w.ids["b"]+`"`)
		w.Is(d, "createGroupChat.numMembers", `1`)
		w.Is(d, "createGroupChat.capacity", `10`) // the default of the setting chat-capacity (communities 8#capacity)
		w.Refused("FORBIDDEN NOT_COMMUNITY_MEMBER", "out", openChat, v)
		w.Refused("NOT_FOUND", "b", openChat, vars{"c": "nothing"}, vars{"i": v["i"]})
		w.Asked(
			"a",
			`query($c: ID!) { community(id: $c) { chatCount memberCount isMember founder { username } groupChats { items { name } } members { items { user { username } isFounder } } } }`,
			vars{"c": c},
			"community",
			`{"chatCount":1,"founder":{"username":"a"},"groupChats":{"items":[{"name":"n"}]},`+
				`"isMember":true,"memberCount":2,"members":{"items":[{"isFounder":true,"user":{"username":"a"}},{"isFounder":false,"user":{"username":"b"}}]}}`,
		)
		w.Whole()
	})
}

// communities 7#6, 5.4#2, 6#5 and 6#13: concurrent joins never exceed the capacity of a
// chat.
func TestScenario6AFullChatTakesNobody(t *testing.T) {
	test(t, func(w *world) {
		names := []string{"p0", "p1", "p2", "p3", "p4"}
		w.registers("a", "b")
		w.registers(names...)
		c := w.founds("a", "Calm", append([]string{"b"}, names...)...)
		for range rounds {
			h := w.opens("a", c, vars{"capacity": 3})
			w.enters(h, "b")
			w.Counted(w.AtOnce(5, func(i int) apptest.Answer { return w.Asks(names[i], enter, vars{"h": h}) }),
				map[string]int{"": 1, "LIMIT_EXCEEDED CHAT_FULL": 4})
			w.Asked("a", chat, vars{"h": h}, "groupChat.numMembers", `3`)
		}
		w.Whole()
	})
}

// communities 7#7 and 5.4#2: a private group chat cannot be joined directly.
func TestScenario7PrivateChatsAreNotJoined(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.Refused("FORBIDDEN PRIVATE_CHAT", "b", enter, vars{"h": h})
		w.Whole()
	})
}

// communities 7#8, 5.5#1-2 and 6#7: a user has one pending request for a chat, also after
// concurrent ones.
func TestScenario8OneRequestAtATime(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out")
		c := w.founds("a", "Calm", "b")
		for range rounds {
			h := w.opens("a", c, vars{"private": true})
			w.Counted(w.AtOnce(3, func(int) apptest.Answer { return w.Asks("b", ask, vars{"h": h}) }), map[string]int{"": 1, "CONFLICT REQUEST_PENDING": 2})
			w.Refused("CONFLICT REQUEST_PENDING", "b", ask, vars{"h": h})
			if got := w.Does("a", requests, vars{"h": h}).List("groupChatRequests.items", "status"); got != "PENDING" {
				t.Fatalf("requests of the chat: %q", got)
			}
			d := w.Does("b", myRequests, vars{"p": true})
			w.Is(d, fmt.Sprintf("myChatRequests.items.%d.chat.id", len(d.At("myChatRequests.items").([]any))-1), `"`+h+`"`)
			w.Does(
				"b",
				`mutation($r: ID!) { cancelChatRequest(id: $r) { status } }`,
				vars{"r": d.Text(fmt.Sprintf("myChatRequests.items.%d.id", len(d.At("myChatRequests.items").([]any))-1))},
			)
		}
		h := w.opens("a", c, vars{"private": true})
		w.Refused("FORBIDDEN NOT_COMMUNITY_MEMBER", "out", ask, vars{"h": h})
		w.Refused("CONFLICT ALREADY_MEMBER", "a", ask, vars{"h": h})
		w.Refused("PRECONDITION_FAILED CHAT_IS_OPEN", "b", ask, vars{"h": w.opens("a", c)})
		w.Whole()
	})
}

// communities 7#9, 5.5#6, 6#8 and 6#16: of two concurrent decisions one counts, and
// membership agrees with it.
func TestScenario9OneDecision(t *testing.T) {
	test(t, func(w *world) {
		w.registers("founder", "owner", "b")
		c := w.founds("founder", "Calm", "owner", "b")
		for n := range rounds {
			h := w.opens("owner", c, vars{"private": true})
			r := w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				return w.Asks([]string{"owner", "founder"}[i], []string{accept, reject}[i], vars{"r": r})
			}), map[string]int{"": 1, "CONFLICT REQUEST_ALREADY_DECIDED": 1})
			d := w.Does("b", `query($r: ID!) { chatRequest(id: $r) { status chat { isMember numMembers } } }`, vars{"r": r})
			if in := d.At("chatRequest.chat.isMember").(bool); in != (d.Text("chatRequest.status") == "ACCEPTED") {
				t.Fatalf("round %d: %v", n, d)
			}
			w.Is(w.Does("owner", requests, vars{"h": h}), "groupChatRequests.items", `[]`)
			if n%20 == 0 {
				w.Whole()
			}
		}
		w.Whole()
	})
}

// communities 7#10 and 5.5#3: a full chat accepts nobody, and the request stays pending.
func TestScenario10AFullChatAcceptsNobody(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"), vars{"private": true, "capacity": 2})
		rb, rc := w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id"), w.Does("c", ask, vars{"h": h}).Text("requestToJoin.id")
		w.Asked("a", accept, vars{"r": rb}, "acceptChatRequest", `{"decidedBy":{"username":"a"},"status":"ACCEPTED"}`)
		w.Refused("LIMIT_EXCEEDED CHAT_FULL", "a", accept, vars{"r": rc})
		w.Asked("c", `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": rc}, "chatRequest.status", `"PENDING"`)
		w.Asked("a", chat, vars{"h": h}, "groupChat.numMembers", `2`)
		w.Whole()
	})
}

// communities 7#11, 4.2#2, 5.5#3 and 5.8#1: a decided request is in the history, and no
// longer pending.
func TestScenario11DecidedRequestsAreHistory(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.Does("a", accept, vars{"r": w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")})
		for _, pending := range []bool{true, false} {
			want := map[bool]string{true: "", false: "ACCEPTED"}[pending]
			if got := w.Does("a", requests, vars{"h": h, "p": pending}).List("groupChatRequests.items", "status"); got != want {
				t.Errorf("of the chat, pending %v: %q", pending, got)
			}
			if got := w.Does("b", myRequests, vars{"p": pending}).List("myChatRequests.items", "status"); got != want {
				t.Errorf("of the user, pending %v: %q", pending, got)
			}
		}
		d := w.Does("b", notices)
		w.Is(d, "notifications.items.0.type", `"CHAT_REQUEST_ACCEPTED"`)
		w.Is(d, "notifications.items.0.target", `{"id":"`+h+`","kind":"GROUP_CHAT","parentId":null}`)
		w.Is(w.Does("a", notices), "notifications.items.0.type", `"NEW_CHAT_REQUEST"`)
		w.Whole()
	})
}

// communities 7#12, 2.6#3, 5.5#2 and 5.5#4: after a rejection, a user can ask again a day
// later.
func TestScenario12ARejectionLastsADay(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.Does("a", reject, vars{"r": w.Does("b", ask, vars{"h": h}).Text("requestToJoin.id")})
		w.Is(w.Does("b", notices), "notifications.items.0.type", `"CHAT_REQUEST_REJECTED"`)
		w.Refused("PRECONDITION_FAILED REQUEST_TOO_SOON", "b", ask, vars{"h": h})
		w.Advance(23 * time.Hour)
		w.logsIn("a", "b")
		w.Refused("PRECONDITION_FAILED REQUEST_TOO_SOON", "b", ask, vars{"h": h})
		w.Whole()
		w.Advance(time.Hour)
		w.logsIn("a", "b")
		w.Is(w.Does("b", ask, vars{"h": h}), "requestToJoin.status", `"PENDING"`)
		w.Whole()
	})
}

// logsIn signs people in with new tokens.
func (w *world) logsIn(names ...string) {
	w.T.Helper()
	for _, name := range names {
		w.knows(name, w.Does("", `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { accessToken user { id } } }`, vars{"l": name, "p": password}), "login")
	}
}

// communities 7#13, 5.7#1-2, 6#9 and 6#20: two users who open a private chat concurrently
// get the same one.
func TestScenario13APairHasOneChat(t *testing.T) {
	test(t, func(w *world) {
		const open = `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`
		for n := range rounds {
			a, b := fmt.Sprint("a", n), fmt.Sprint("b", n)
			w.registers(a, b)
			answers := make([]apptest.Answer, 2)
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				answers[i] = w.Asks([]string{a, b}[i], open, vars{"u": w.ids[[]string{b, a}[i]]})
				return answers[i]
			}), map[string]int{"": 2})
			if one, other := w.DataOf(answers[0]).Text("openPrivateChat.id"), w.DataOf(answers[1]).Text("openPrivateChat.id"); one != other {
				t.Fatalf("round %d: chats %s and %s", n, one, other)
			}
		}
		w.Refused("BAD_INPUT SELF", "a0", open, vars{"u": w.ids["a0"]})
		w.Refused("NOT_FOUND", "a0", open, vars{"u": "nobody"})
		w.Whole()
	})
}

// communities 7#14 and 5.6#6: reading a message marks it as read for its author and lowers
// the reader's count.
func TestScenario14ReadingInAPrivateChat(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		m := w.writes("a", "PRIVATE", p, "hello")
		v := vars{"t": "PRIVATE", "h": p, "m": m}
		w.Asked("a", oneMessage, v, "message.read", `false`)
		w.Asked("b", `{ myPrivateChats { items { unreadCount otherUser { username } } } }`, nil, "myPrivateChats.items", `[{"otherUser":{"username":"a"},"unreadCount":1}]`)
		w.Is(w.Does("b", markRead, v, vars{"m": []string{m}}), "markMessagesRead", `1`)
		w.Is(w.Does("b", markRead, v, vars{"m": []string{m, "unknown"}}), "markMessagesRead", `0`)
		w.Is(w.Does("a", markRead, v, vars{"m": []string{m}}), "markMessagesRead", `0`)
		w.Asked("a", oneMessage, v, "message.read", `true`)
		w.Asked("b", `{ myPrivateChats { items { unreadCount } } }`, nil, "myPrivateChats.items.0.unreadCount", `0`)
		d := w.Does("b", notices)
		w.Is(d, "notifications.items.0.type", `"NEW_PRIVATE_MESSAGE"`)
		w.Is(d, "notifications.items.0.target", `{"id":"`+m+`","kind":"MESSAGE","parentId":"`+p+`"}`)
		if n := len(d.At("notifications.items").([]any)); n != 1 {
			t.Errorf("%d notifications", n)
		}
		w.Is(w.Does("a", notices), "notifications.items", `[]`)
		w.Whole()
	})
}

// communities 7#15 and 5.6#5: a user has one reaction to a message, and removing none is
// refused.
func TestScenario15OneReactionEach(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"))
		w.enters(h, "b", "c")
		v := vars{"t": "GROUP", "h": h, "m": w.writes("a", "GROUP", h, "hello")}
		w.Does("b", react, v, vars{"r": "LIKE"})
		w.Does("b", react, v, vars{"r": "HEART"})
		w.Does("c", react, v, vars{"r": "LIKE"})
		w.Asked("b", oneMessage, v, "message.myReaction", `"HEART"`)
		w.Does("b", unreact, v)
		w.Refused("NOT_FOUND NO_REACTION", "b", unreact, v)
		d := w.Does("a", oneMessage, v)
		w.Is(d, "message.reactions", `[{"type":"LIKE","user":{"username":"c"}}]`)
		w.Is(d, "message.reactionCounts", `[{"count":1,"type":"LIKE"}]`)
		w.Whole()
	})
}

// communities 7#16, 2.4#2 and 6#11: concurrent reactions to a message are all stored.
func TestScenario16FiftyReactAtOnce(t *testing.T) {
	testWith(t, 100, func(w *world) {
		w.registers("a")
		var names []string
		for n := range 50 {
			names = append(names, fmt.Sprint("p", n))
		}
		w.registers(names...)
		h := w.opens("a", w.founds("a", "Calm", names...))
		w.enters(h, names...)
		v := vars{"t": "GROUP", "h": h, "m": w.writes("a", "GROUP", h, "hello")}
		w.Counted(w.AtOnce(50, func(i int) apptest.Answer { return w.Asks(names[i], react, v, vars{"r": []string{"LIKE", "WOW"}[i%2]}) }), map[string]int{"": 50})
		w.Asked("a", oneMessage, v, "message.reactionCounts", `[{"count":25,"type":"LIKE"},{"count":25,"type":"WOW"}]`)
		w.Whole()
	})
}

// communities 7#17, 4.1#3, 5.2#10 and 5.6#2-3: only the author edits a message, and a
// deleted one has no content and no reactions.
func TestScenario17EditingAndDeleting(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("b", w.founds("b", "Calm", "a"))
		w.enters(h, "a")
		v := vars{"t": "GROUP", "h": h, "m": w.writes("a", "GROUP", h, "hello"), "x": " hallo "}
		w.Refused("FORBIDDEN PERMISSION_MISSING", "b", edit, v)
		w.Is(w.Does("a", edit, v), "editMessage", `{"content":"hallo","edited":true}`)
		w.Does("b", react, v, vars{"r": "SAD"})
		w.Is(w.Does("a", erase, v), "deleteMessage", `{"content":null,"deleted":true}`)
		w.Refused("NOT_FOUND", "a", edit, v)
		w.Refused("NOT_FOUND", "a", erase, v)
		w.Refused("NOT_FOUND", "b", react, v, vars{"r": "SAD"})
		w.Asked("b", oneMessage, v, "message.reactions", `[]`)
		w.Asked("b", chat, v, "groupChat.unreadCount", `0`)
		w.Whole()
	})
}

// communities 7#18, 2.3#1, 3#3 and 5.8#3: pages of notifications list unread ones first,
// each newest first.
func TestScenario18UnreadNotificationsComeFirst(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		for n := range 5 {
			w.writes("a", "PRIVATE", p, fmt.Sprint("m", n))
		}
		w.Settle()
		all := strings.Fields(w.Does("b", notices).List("notifications.items", "id"))
		for _, n := range []int{3, 1} {
			w.Does("b", `mutation($n: ID!) { markNotificationRead(id: $n) { read seen } }`, vars{"n": all[n]})
		}
		want := []string{all[0], all[2], all[4], all[1], all[3]}
		var got []string
		token := any(nil)
		for range 3 {
			d := w.Does("b", notices, vars{"l": 2, "t": token})
			got = append(got, strings.Fields(d.List("notifications.items", "id"))...)
			token = d.At("notifications.nextToken")
		}
		if !slices.Equal(got, want) || token != nil {
			t.Errorf("listed %v, want %v, then token %v", got, want, token)
		}
		if d := w.Does("b", notices, vars{"l": 3, "f": "UNREAD"}); d.At("notifications.nextToken") != nil {
			t.Error("a full last page has a token")
		}
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":3,"unseen":3}`)
		w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `3`)
		w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `0`)
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":3,"unseen":0}`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `3`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `0`)
		w.Whole()
	})
}

// communities 7#19, 5.2#11, 5.8#3, 6#10 and 6#19: marking a notification read twice changes
// nothing the second time.
func TestScenario19ReadingTwiceChangesNothing(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		w.writes("a", "PRIVATE", w.meets("a", "b"), "hello")
		w.Settle()
		before := w.Does("b", notices)
		const read = `mutation($n: ID!) { markNotificationRead(id: $n) { id createdAt read seen } }`
		v := vars{"n": before.Text("notifications.items.0.id")}
		w.Counted(w.AtOnce(3, func(int) apptest.Answer { return w.Asks("b", read, v) }), map[string]int{"": 3})
		w.Refused("NOT_FOUND", "a", read, v)
		w.Is(w.Does("b", notices, vars{"f": "UNREAD"}), "notifications.items", `[]`)
		d := w.Does("b", notices, vars{"f": "READ"})
		if d.Text("notifications.items.0.id") != v["n"] || d.Text("notifications.items.0.createdAt") != before.Text("notifications.items.0.createdAt") {
			t.Errorf("read %v, before %v", d, before)
		}
		w.Is(w.Does("b", `mutation($n: ID!) { deleteNotification(id: $n) }`, v), "deleteNotification", `"`+v["n"].(string)+`"`)
		w.Refused("NOT_FOUND", "b", read, v)
		w.Whole()
	})
}

// communities 7#20, 5.4#5, 6#5 and 6#15: the longest-standing member inherits a chat, and
// the last one ends it.
func TestScenario20TheOwnerLeaves(t *testing.T) {
	test(t, func(w *world) {
		w.registers("o", "x", "y")
		h := w.opens("o", w.founds("o", "Calm", "x", "y"))
		w.enters(h, "y", "x")
		const leave = `mutation($h: ID!) { leaveGroupChat(id: $h) { numMembers isMember owner { username } } }`
		w.Is(w.Does("o", leave, vars{"h": h}), "leaveGroupChat", `{"isMember":false,"numMembers":2,"owner":{"username":"y"}}`)
		w.Asked("x", chat, vars{"h": h}, "groupChat.members.items", `[{"role":"MEMBER","user":{"username":"x"}},{"role":"OWNER","user":{"username":"y"}}]`)
		w.Whole()
		w.Refused("NOT_FOUND NOT_MEMBER", "o", leave, vars{"h": h})
		w.Does("y", leave, vars{"h": h})
		w.Is(w.Does("x", leave, vars{"h": h}), "leaveGroupChat.numMembers", `0`) // the last one leaves an empty chat (communities 8#last-one-leaves)
		w.Is(w.Does("x", chat, vars{"h": h}), "groupChat", `null`)
		w.Whole()
	})
}

// communities 5.4#5: the longest-standing member who is not banned inherits a chat, banned
// ones only if nobody else is left.
func TestBannedMembersDoNotInherit(t *testing.T) {
	test(t, func(w *world) {
		w.registers("o", "x", "y", "oz")
		h := w.opens("o", w.founds("o", "Calm", "x", "y"))
		w.enters(h, "y", "x")
		w.Does("oz", `mutation($u: ID!) { banUser(userId: $u) { id } }`, vars{"u": w.ids["y"]})
		const leave = `mutation($h: ID!) { leaveGroupChat(id: $h) { numMembers owner { username } } }`
		w.Is(w.Does("o", leave, vars{"h": h}), "leaveGroupChat", `{"numMembers":2,"owner":{"username":"x"}}`)
		w.Is(w.Does("x", leave, vars{"h": h}), "leaveGroupChat", `{"numMembers":1,"owner":{"username":"y"}}`) // nobody else is left
		w.Whole()
	})
}

// communities 7#21, 5.3#3-4, 6#3, 6#14 and 6#17: leaving a community ends memberships and
// requests in its chats; the founder cannot leave.
func TestScenario21LeavingACommunity(t *testing.T) {
	test(t, func(w *world) {
		w.registers("f", "u")
		c := w.founds("f", "Calm", "u")
		one, own, third := w.opens("f", c), w.opens("u", c), w.opens("f", c, vars{"private": true})
		w.enters(one, "u")
		r := w.Does("u", ask, vars{"h": third}).Text("requestToJoin.id")
		w.Refused("PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE", "f", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
		w.Is(w.Does("u", `mutation($c: ID!) { leaveCommunity(id: $c) { memberCount isMember } }`, vars{"c": c}), "leaveCommunity", `{"isMember":false,"memberCount":1}`)
		w.Settle()
		w.Asked("u", `{ myGroupChats { items { id } } }`, nil, "myGroupChats.items", `[]`)
		w.Asked("f", chat, vars{"h": one}, "groupChat.numMembers", `1`)
		w.Asked("f", chat, vars{"h": own}, "groupChat", `null`)
		w.Asked("u", `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": r}, "chatRequest.status", `"CANCELLED"`)
		w.Is(w.Does("f", requests, vars{"h": third}), "groupChatRequests.items", `[]`)
		w.Refused("NOT_FOUND NOT_MEMBER", "u", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
		w.Whole()
	})
}

// communities 7#22, 4.1#1, 5.2#2 and 5.2#5: a ban takes effect with tokens that are still
// valid, and leaves `me`.
func TestScenario22ABanIsLive(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "u", "x")
		p := w.meets("u", "x")
		v := vars{"u": w.ids["u"], "t": "PRIVATE", "h": p, "x": "hi"}
		w.Does("oz", `mutation($u: ID!) { banUser(userId: $u) { banned } }`, v)
		w.Refused("FORBIDDEN BANNED", "u", send, v)
		w.Refused("FORBIDDEN BANNED", "u", `{ myCommunities { items { id } } }`)
		w.Refused("FORBIDDEN BANNED", "u", `{ notificationCounts { unread } }`)
		w.Refused("FORBIDDEN BANNED", "u", `mutation { heartbeat }`)
		w.Asked("u", `{ me { username banned } }`, nil, "me", `{"banned":false,"username":"u"}`)
		w.Refused("UNAUTHENTICATED", "", `mutation { login(login: "u", password: "correct horse") { accessToken } }`)
		// communities 8#openPrivateChat-banned-later: history stays, sending ends.
		w.Asked("x", messages, v, "messages.items", `[]`)
		w.Refused("NOT_FOUND", "x", send, v)
		w.Whole()
	})
}

// communities 7#23 and 5.2#11: to anyone else, a private chat does not exist.
func TestScenario23PrivateChatsAreNobodyElses(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		p := w.meets("a", "b")
		m := w.writes("a", "PRIVATE", p, "secret")
		w.Asked("c", `query($h: ID!) { privateChat(id: $h) { id } }`, vars{"h": p}, "privateChat", `null`)
		v := vars{"t": "PRIVATE", "h": p, "m": m}
		w.Asked("c", oneMessage, v, "message", `null`)
		for _, id := range []string{p, "nothing"} {
			w.Refused("NOT_FOUND", "c", messages, v, vars{"h": id})
			w.Refused("NOT_FOUND", "c", erase, v, vars{"h": id})
			w.Refused("NOT_FOUND", "c", markRead, v, vars{"h": id, "m": []string{m}})
		}
		w.registers("oz")
		w.Refused("NOT_FOUND", "oz", erase, v) // communities 8#moderation: private chats do not exist for them
		w.Whole()
	})
}

// communities 7#24, 3#2 and 5.6#1: pages of messages hold each message once, while more
// arrive.
func TestScenario24PagesStandStill(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		h := w.opens("a", w.founds("a", "Calm"))
		var want, got []string
		for n := range 45 {
			want = append(want, w.writes("a", "GROUP", h, fmt.Sprint("m", n)))
		}
		slices.Reverse(want)
		token := any(nil)
		for n := range 3 {
			d := w.Does("a", messages, vars{"t": "GROUP", "h": h, "l": 20, "k": token})
			got = append(got, strings.Fields(d.List("messages.items", "id"))...)
			token = d.At("messages.nextToken")
			for i := range 5 * (2 - n) / 2 {
				w.writes("a", "GROUP", h, fmt.Sprint("new", n, i))
			}
		}
		if !slices.Equal(got, want) || token != nil {
			t.Errorf("listed %d of %d messages, then %v", len(got), len(want), token)
		}
		w.Whole()
	})
}

// communities 7#25, 4#paging and 8#page-tokens: a page token is bound to the chat, the
// order and the caller.
func TestScenario25TokensAreBound(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		c := w.founds("a", "Calm", "b")
		h, other := w.opens("a", c), w.opens("a", c)
		w.enters(h, "b")
		for range 3 {
			w.writes("a", "GROUP", h, "x")
			w.writes("a", "GROUP", other, "x")
		}
		v := vars{"t": "GROUP", "h": h, "l": 1}
		token := w.Does("a", messages, v).At("messages.nextToken")
		w.Does("a", messages, v, vars{"k": token, "l": 2}) // the limit may differ (communities 8#page-tokens)
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": token, "h": other})
		w.Refused("BAD_INPUT INVALID_TOKEN", "b", messages, v, vars{"k": token})
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": token, "o": "ASC"})
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", `query($h: ID!, $k: String) { groupChat(id: $h) { messages(nextToken: $k) { nextToken } } }`, v, vars{"k": token})
		w.Refused("BAD_INPUT INVALID_LIMIT", "a", messages, v, vars{"l": 101})
		nested := w.Does("a", `query($h: ID!) { groupChat(id: $h) { messages(limit: 1) { nextToken } } }`, v).At("groupChat.messages.nextToken")
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": nested}) // nested lists have tokens of their own (communities 8#page-tokens)
	})
}
