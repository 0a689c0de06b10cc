package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The acceptance scenarios of the system, by their numbers. Races run a hundred times.

const rounds = 100

const (
	requests   = `query($h: ID!, $p: Boolean) { groupChatRequests(chatId: $h, pendingOnly: $p) { items { id status user { username } } } }`
	myRequests = `query($p: Boolean) { myChatRequests(pendingOnly: $p) { items { id status chat { id } } } }`
	accept     = `mutation($r: ID!) { acceptChatRequest(id: $r) { status decidedBy { username } } }`
	reject     = `mutation($r: ID!) { rejectChatRequest(id: $r) { status } }`
	chat       = `query($h: ID!) { groupChat(id: $h) { numMembers capacity isMember isFull owner { username } unreadCount version myPendingRequest { id } members(limit: 100) { items { user { username } role } } } }`
	notices    = `query($f: NotificationFilter, $l: Int, $t: String) { notifications(filter: $f, limit: $l, nextToken: $t) { items { id type message read seen createdAt target { kind id parentId } actor { username } } nextToken } }`
	messages   = `query($t: ChatType!, $h: ID!, $l: Int, $k: String, $o: SortOrder) { messages(chatType: $t, chatId: $h, limit: $l, nextToken: $k, order: $o) { items { id content read deleted edited author { username } } nextToken } }`
	oneMessage = `query($t: ChatType!, $h: ID!, $m: ID!) { message(chatType: $t, chatId: $h, id: $m) { content read deleted edited editedAt reactions { type user { username } } reactionCounts { type count } myReaction } }`
	react      = `mutation($t: ChatType!, $h: ID!, $m: ID!, $r: ReactionType!) { reactToMessage(chatType: $t, chatId: $h, id: $m, type: $r) { myReaction } }`
	unreact    = `mutation($t: ChatType!, $h: ID!, $m: ID!) { removeReaction(chatType: $t, chatId: $h, id: $m) { id } }`
	edit       = `mutation($t: ChatType!, $h: ID!, $m: ID!, $x: String!) { editMessage(chatType: $t, chatId: $h, id: $m, content: $x) { content edited } }`
	erase      = `mutation($t: ChatType!, $h: ID!, $m: ID!) { deleteMessage(chatType: $t, chatId: $h, id: $m) { content deleted } }`
	markRead   = `mutation($t: ChatType!, $h: ID!, $m: [ID!]!) { markMessagesRead(chatType: $t, chatId: $h, ids: $m) }`
	nearby     = `query($c: String, $s: String, $y: String, $t: CommunityTopic, $l: Int, $k: String) { communities(country: $c, state: $s, city: $y, topic: $t, limit: $l, nextToken: $k) { items { name } nextToken } }`
)

func TestScenario1UsernamesAreUniqueInAnyCase(t *testing.T) {
	test(t, func(w *world) {
		for n := range rounds {
			name := fmt.Sprint("ann", n)
			w.counted(w.together(2, func(i int) apptest.Answer {
				called := []string{name, strings.ToUpper(name)}[i]
				return w.send("", register, vars{"i": person(called, vars{"email": fmt.Sprintf("%d.%d@example.com", n, i)})})
			}), map[string]int{"": 1, "CONFLICT USERNAME_TAKEN": 1})
		}
		if n := len(w.Rows()["communities-Users"]); n != 3*rounds {
			t.Errorf("%d items, want a user and two guards in each of %d rounds", n, rounds)
		}
		w.registers("cid")
		w.refused("CONFLICT EMAIL_TAKEN", "", register, vars{"i": person("bob", vars{"email": "CID@EXAMPLE.com"})})
		w.refused("CONFLICT USERNAME_TAKEN", "", register, vars{"i": person("ＡＮＮ0")}) // §8: full-width letters fold
		w.whole()
	})
}

func TestScenario2CommunitiesOfAPlace(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		w.founds("a", "Calm")
		w.does("a", found, vars{"i": vars{"name": "Moor", "description": "d", "topic": "ANXIETY", "location": york}})
		w.does("a", found, vars{"i": vars{"name": "Shire", "description": "d", "topic": "ANXIETY", "location": vars{"city": "Leeds", "state": "Yorkshire", "country": "uk"}}})
		for _, c := range []struct {
			v    vars
			want string
		}{
			{vars{"c": "usa"}, "Calm"}, {vars{"c": " USA ", "s": "new  jersey"}, "Calm"}, {vars{"c": "usa", "s": "New Jersey", "y": "TRENTON"}, "Calm"},
			{vars{"c": "usa", "s": "New"}, ""}, {vars{"c": "UK", "s": "York"}, ""}, {vars{"c": "UK"}, "Shire Moor"}, {vars{"c": "ＵＫ", "t": "ANXIETY", "l": 1}, "Shire"},
			{vars{"t": "PTSD"}, "Calm"}, {vars{"c": "UK", "t": "PTSD"}, ""},
		} {
			if got := w.does("a", nearby, c.v).list("communities.items", "name"); got != c.want {
				t.Errorf("%v finds %q, want %q", c.v, got, c.want)
			}
		}
		w.whole()
	})
}

func TestScenario3ACityNeedsItsState(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		for _, v := range []vars{{"c": "USA", "y": "Trenton"}, {"y": "Trenton"}, {"s": "New Jersey"}, {"s": "New Jersey", "t": "PTSD"}, {}} {
			w.refused("BAD_INPUT LOCATION_INCOMPLETE", "a", nearby, v)
		}
	})
}

func TestScenario4NewsOfACommunityNearby(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		w.does("", register, vars{"i": person("far", vars{"location": york})})
		id := w.founds("a", "Calm")
		w.Settle()
		d := w.does("b", notices)
		w.is(d, "notifications.items.0.type", `"NEW_COMMUNITY_NEAR_YOU"`)
		w.is(d, "notifications.items.0.target", `{"id":"`+id+`","kind":"COMMUNITY","parentId":null}`)
		w.is(d, "notifications.items.0.actor.username", `"a"`)
		w.is(w.does("a", notices), "notifications.items", `[]`)
		if n := len(w.Rows()["communities-Notifications"]); n != 1 {
			t.Errorf("%d notifications, want one", n)
		}
		w.whole()
	})
}

func TestScenario5GroupChatsAreOfMembers(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out")
		c := w.founds("a", "Calm", "b")
		v := vars{"c": c, "i": vars{"name": "n", "description": "d"}}
		d := w.does("b", openChat, v)
		w.is(d, "createGroupChat.owner.id", `"`+w.ids["b"]+`"`)
		w.is(d, "createGroupChat.numMembers", `1`)
		w.is(d, "createGroupChat.capacity", `10`) // §8: setting chat-capacity
		w.refused("FORBIDDEN NOT_COMMUNITY_MEMBER", "out", openChat, v)
		w.refused("NOT_FOUND", "b", openChat, vars{"c": "nothing"}, vars{"i": v["i"]})
		w.asked("a", `query($c: ID!) { community(id: $c) { chatCount memberCount isMember founder { username } groupChats { items { name } } members { items { user { username } isFounder } } } }`, vars{"c": c},
			"community", `{"chatCount":1,"founder":{"username":"a"},"groupChats":{"items":[{"name":"n"}]},"isMember":true,"memberCount":2,"members":{"items":[{"isFounder":true,"user":{"username":"a"}},{"isFounder":false,"user":{"username":"b"}}]}}`)
		w.whole()
	})
}

func TestScenario6AFullChatTakesNobody(t *testing.T) {
	test(t, func(w *world) {
		names := []string{"p0", "p1", "p2", "p3", "p4"}
		w.registers("a", "b")
		w.registers(names...)
		c := w.founds("a", "Calm", append([]string{"b"}, names...)...)
		for range rounds {
			h := w.opens("a", c, vars{"capacity": 3})
			w.enters(h, "b")
			w.counted(w.together(5, func(i int) apptest.Answer { return w.send(names[i], enter, vars{"h": h}) }),
				map[string]int{"": 1, "LIMIT_EXCEEDED CHAT_FULL": 4})
			w.asked("a", chat, vars{"h": h}, "groupChat.numMembers", `3`)
		}
		w.whole()
	})
}

func TestScenario7PrivateChatsAreNotJoined(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.refused("FORBIDDEN PRIVATE_CHAT", "b", enter, vars{"h": h})
		w.whole()
	})
}

func TestScenario8OneRequestAtATime(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "out")
		c := w.founds("a", "Calm", "b")
		for range rounds {
			h := w.opens("a", c, vars{"private": true})
			w.counted(w.together(3, func(int) apptest.Answer { return w.send("b", ask, vars{"h": h}) }), map[string]int{"": 1, "CONFLICT REQUEST_PENDING": 2})
			w.refused("CONFLICT REQUEST_PENDING", "b", ask, vars{"h": h})
			if got := w.does("a", requests, vars{"h": h}).list("groupChatRequests.items", "status"); got != "PENDING" {
				t.Fatalf("requests of the chat: %q", got)
			}
			d := w.does("b", myRequests, vars{"p": true})
			w.is(d, fmt.Sprintf("myChatRequests.items.%d.chat.id", len(d.at("myChatRequests.items").([]any))-1), `"`+h+`"`)
			w.does("b", `mutation($r: ID!) { cancelChatRequest(id: $r) { status } }`, vars{"r": d.text(fmt.Sprintf("myChatRequests.items.%d.id", len(d.at("myChatRequests.items").([]any))-1))})
		}
		h := w.opens("a", c, vars{"private": true})
		w.refused("FORBIDDEN NOT_COMMUNITY_MEMBER", "out", ask, vars{"h": h})
		w.refused("CONFLICT ALREADY_MEMBER", "a", ask, vars{"h": h})
		w.refused("PRECONDITION_FAILED CHAT_IS_OPEN", "b", ask, vars{"h": w.opens("a", c)})
		w.whole()
	})
}

func TestScenario9OneDecision(t *testing.T) {
	test(t, func(w *world) {
		w.registers("founder", "owner", "b")
		c := w.founds("founder", "Calm", "owner", "b")
		for n := range rounds {
			h := w.opens("owner", c, vars{"private": true})
			r := w.does("b", ask, vars{"h": h}).text("requestToJoin.id")
			w.counted(w.together(2, func(i int) apptest.Answer {
				return w.send([]string{"owner", "founder"}[i], []string{accept, reject}[i], vars{"r": r})
			}), map[string]int{"": 1, "CONFLICT REQUEST_ALREADY_DECIDED": 1})
			d := w.does("b", `query($r: ID!) { chatRequest(id: $r) { status chat { isMember numMembers } } }`, vars{"r": r})
			if in := d.at("chatRequest.chat.isMember").(bool); in != (d.text("chatRequest.status") == "ACCEPTED") {
				t.Fatalf("round %d: %v", n, d.value)
			}
			w.is(w.does("owner", requests, vars{"h": h}), "groupChatRequests.items", `[]`)
			if n%20 == 0 {
				w.whole()
			}
		}
		w.whole()
	})
}

func TestScenario10AFullChatAcceptsNobody(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"), vars{"private": true, "capacity": 2})
		rb, rc := w.does("b", ask, vars{"h": h}).text("requestToJoin.id"), w.does("c", ask, vars{"h": h}).text("requestToJoin.id")
		w.asked("a", accept, vars{"r": rb}, "acceptChatRequest", `{"decidedBy":{"username":"a"},"status":"ACCEPTED"}`)
		w.refused("LIMIT_EXCEEDED CHAT_FULL", "a", accept, vars{"r": rc})
		w.asked("c", `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": rc}, "chatRequest.status", `"PENDING"`)
		w.asked("a", chat, vars{"h": h}, "groupChat.numMembers", `2`)
		w.whole()
	})
}

func TestScenario11DecidedRequestsAreHistory(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.does("a", accept, vars{"r": w.does("b", ask, vars{"h": h}).text("requestToJoin.id")})
		for _, pending := range []bool{true, false} {
			want := map[bool]string{true: "", false: "ACCEPTED"}[pending]
			if got := w.does("a", requests, vars{"h": h, "p": pending}).list("groupChatRequests.items", "status"); got != want {
				t.Errorf("of the chat, pending %v: %q", pending, got)
			}
			if got := w.does("b", myRequests, vars{"p": pending}).list("myChatRequests.items", "status"); got != want {
				t.Errorf("of the user, pending %v: %q", pending, got)
			}
		}
		d := w.does("b", notices)
		w.is(d, "notifications.items.0.type", `"CHAT_REQUEST_ACCEPTED"`)
		w.is(d, "notifications.items.0.target", `{"id":"`+h+`","kind":"GROUP_CHAT","parentId":null}`)
		w.is(w.does("a", notices), "notifications.items.0.type", `"NEW_CHAT_REQUEST"`)
		w.whole()
	})
}

func TestScenario12ARejectionLastsADay(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.does("a", reject, vars{"r": w.does("b", ask, vars{"h": h}).text("requestToJoin.id")})
		w.is(w.does("b", notices), "notifications.items.0.type", `"CHAT_REQUEST_REJECTED"`)
		w.refused("PRECONDITION_FAILED REQUEST_TOO_SOON", "b", ask, vars{"h": h})
		w.Advance(23 * time.Hour)
		w.logsIn("a", "b")
		w.refused("PRECONDITION_FAILED REQUEST_TOO_SOON", "b", ask, vars{"h": h})
		w.whole()
		w.Advance(time.Hour)
		w.logsIn("a", "b")
		w.is(w.does("b", ask, vars{"h": h}), "requestToJoin.status", `"PENDING"`)
		w.whole()
	})
}

// logsIn gives people new tokens.
func (w *world) logsIn(names ...string) {
	w.T.Helper()
	for _, name := range names {
		w.knows(name, w.does("", `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { accessToken user { id } } }`, vars{"l": name, "p": password}), "login")
	}
}

func TestScenario13APairHasOneChat(t *testing.T) {
	test(t, func(w *world) {
		const open = `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`
		for n := range rounds {
			a, b := fmt.Sprint("a", n), fmt.Sprint("b", n)
			w.registers(a, b)
			answers := make([]apptest.Answer, 2)
			w.counted(w.together(2, func(i int) apptest.Answer {
				answers[i] = w.send([]string{a, b}[i], open, vars{"u": w.ids[[]string{b, a}[i]]})
				return answers[i]
			}), map[string]int{"": 2})
			if one, other := w.decoded(answers[0]).text("openPrivateChat.id"), w.decoded(answers[1]).text("openPrivateChat.id"); one != other {
				t.Fatalf("round %d: chats %s and %s", n, one, other)
			}
		}
		w.refused("BAD_INPUT SELF", "a0", open, vars{"u": w.ids["a0"]})
		w.refused("NOT_FOUND", "a0", open, vars{"u": "nobody"})
		w.whole()
	})
}

func TestScenario14ReadingInAPrivateChat(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		m := w.writes("a", "PRIVATE", p, "hello")
		v := vars{"t": "PRIVATE", "h": p, "m": m}
		w.asked("a", oneMessage, v, "message.read", `false`)
		w.asked("b", `{ myPrivateChats { items { unreadCount otherUser { username } } } }`, nil, "myPrivateChats.items", `[{"otherUser":{"username":"a"},"unreadCount":1}]`)
		w.is(w.does("b", markRead, v, vars{"m": []string{m}}), "markMessagesRead", `1`)
		w.is(w.does("b", markRead, v, vars{"m": []string{m, "unknown"}}), "markMessagesRead", `0`)
		w.is(w.does("a", markRead, v, vars{"m": []string{m}}), "markMessagesRead", `0`)
		w.asked("a", oneMessage, v, "message.read", `true`)
		w.asked("b", `{ myPrivateChats { items { unreadCount } } }`, nil, "myPrivateChats.items.0.unreadCount", `0`)
		d := w.does("b", notices)
		w.is(d, "notifications.items.0.type", `"NEW_PRIVATE_MESSAGE"`)
		w.is(d, "notifications.items.0.target", `{"id":"`+m+`","kind":"MESSAGE","parentId":"`+p+`"}`)
		if n := len(d.at("notifications.items").([]any)); n != 1 {
			t.Errorf("%d notifications", n)
		}
		w.is(w.does("a", notices), "notifications.items", `[]`)
		w.whole()
	})
}

func TestScenario15OneReactionEach(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b", "c"))
		w.enters(h, "b", "c")
		v := vars{"t": "GROUP", "h": h, "m": w.writes("a", "GROUP", h, "hello")}
		w.does("b", react, v, vars{"r": "LIKE"})
		w.does("b", react, v, vars{"r": "HEART"})
		w.does("c", react, v, vars{"r": "LIKE"})
		w.asked("b", oneMessage, v, "message.myReaction", `"HEART"`)
		w.does("b", unreact, v)
		w.refused("NOT_FOUND NO_REACTION", "b", unreact, v)
		d := w.does("a", oneMessage, v)
		w.is(d, "message.reactions", `[{"type":"LIKE","user":{"username":"c"}}]`)
		w.is(d, "message.reactionCounts", `[{"count":1,"type":"LIKE"}]`)
		w.whole()
	})
}

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
		w.counted(w.together(50, func(i int) apptest.Answer { return w.send(names[i], react, v, vars{"r": []string{"LIKE", "WOW"}[i%2]}) }), map[string]int{"": 50})
		w.asked("a", oneMessage, v, "message.reactionCounts", `[{"count":25,"type":"LIKE"},{"count":25,"type":"WOW"}]`)
		w.whole()
	})
}

func TestScenario17EditingAndDeleting(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("b", w.founds("b", "Calm", "a"))
		w.enters(h, "a")
		v := vars{"t": "GROUP", "h": h, "m": w.writes("a", "GROUP", h, "hello"), "x": " hallo "}
		w.refused("FORBIDDEN PERMISSION_MISSING", "b", edit, v)
		w.is(w.does("a", edit, v), "editMessage", `{"content":"hallo","edited":true}`)
		w.does("b", react, v, vars{"r": "SAD"})
		w.is(w.does("a", erase, v), "deleteMessage", `{"content":null,"deleted":true}`)
		w.refused("NOT_FOUND", "a", edit, v)
		w.refused("NOT_FOUND", "a", erase, v)
		w.refused("NOT_FOUND", "b", react, v, vars{"r": "SAD"})
		w.asked("b", oneMessage, v, "message.reactions", `[]`)
		w.asked("b", chat, v, "groupChat.unreadCount", `0`)
		w.whole()
	})
}

func TestScenario18UnreadNotificationsComeFirst(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		for n := range 5 {
			w.writes("a", "PRIVATE", p, fmt.Sprint("m", n))
		}
		w.Settle()
		all := strings.Fields(w.does("b", notices).list("notifications.items", "id"))
		for _, n := range []int{3, 1} {
			w.does("b", `mutation($n: ID!) { markNotificationRead(id: $n) { read seen } }`, vars{"n": all[n]})
		}
		want := []string{all[0], all[2], all[4], all[1], all[3]}
		var got []string
		token := any(nil)
		for range 3 {
			d := w.does("b", notices, vars{"l": 2, "t": token})
			got = append(got, strings.Fields(d.list("notifications.items", "id"))...)
			token = d.at("notifications.nextToken")
		}
		if !slices.Equal(got, want) || token != nil {
			t.Errorf("listed %v, want %v, then token %v", got, want, token)
		}
		if d := w.does("b", notices, vars{"l": 3, "f": "UNREAD"}); d.at("notifications.nextToken") != nil {
			t.Error("a full last page has a token")
		}
		w.asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":3,"unseen":3}`)
		w.is(w.does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `3`)
		w.is(w.does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `0`)
		w.asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":3,"unseen":0}`)
		w.is(w.does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `3`)
		w.is(w.does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `0`)
		w.whole()
	})
}

func TestScenario19ReadingTwiceChangesNothing(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		w.writes("a", "PRIVATE", w.meets("a", "b"), "hello")
		w.Settle()
		before := w.does("b", notices)
		const read = `mutation($n: ID!) { markNotificationRead(id: $n) { id createdAt read seen } }`
		v := vars{"n": before.text("notifications.items.0.id")}
		w.counted(w.together(3, func(int) apptest.Answer { return w.send("b", read, v) }), map[string]int{"": 3})
		w.refused("NOT_FOUND", "a", read, v)
		w.is(w.does("b", notices, vars{"f": "UNREAD"}), "notifications.items", `[]`)
		d := w.does("b", notices, vars{"f": "READ"})
		if d.text("notifications.items.0.id") != v["n"] || d.text("notifications.items.0.createdAt") != before.text("notifications.items.0.createdAt") {
			t.Errorf("read %v, before %v", d.value, before.value)
		}
		w.is(w.does("b", `mutation($n: ID!) { deleteNotification(id: $n) }`, v), "deleteNotification", `"`+v["n"].(string)+`"`)
		w.refused("NOT_FOUND", "b", read, v)
		w.whole()
	})
}

func TestScenario20TheOwnerLeaves(t *testing.T) {
	test(t, func(w *world) {
		w.registers("o", "x", "y")
		h := w.opens("o", w.founds("o", "Calm", "x", "y"))
		w.enters(h, "y", "x")
		const leave = `mutation($h: ID!) { leaveGroupChat(id: $h) { numMembers isMember owner { username } } }`
		w.is(w.does("o", leave, vars{"h": h}), "leaveGroupChat", `{"isMember":false,"numMembers":2,"owner":{"username":"y"}}`)
		w.asked("x", chat, vars{"h": h}, "groupChat.members.items", `[{"role":"MEMBER","user":{"username":"x"}},{"role":"OWNER","user":{"username":"y"}}]`)
		w.whole()
		w.refused("NOT_FOUND NOT_MEMBER", "o", leave, vars{"h": h})
		w.does("y", leave, vars{"h": h})
		w.is(w.does("x", leave, vars{"h": h}), "leaveGroupChat.numMembers", `0`) // §8: last one leaves
		w.is(w.does("x", chat, vars{"h": h}), "groupChat", `null`)
		w.whole()
	})
}

func TestScenario21LeavingACommunity(t *testing.T) {
	test(t, func(w *world) {
		w.registers("f", "u")
		c := w.founds("f", "Calm", "u")
		one, own, third := w.opens("f", c), w.opens("u", c), w.opens("f", c, vars{"private": true})
		w.enters(one, "u")
		r := w.does("u", ask, vars{"h": third}).text("requestToJoin.id")
		w.refused("PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE", "f", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
		w.is(w.does("u", `mutation($c: ID!) { leaveCommunity(id: $c) { memberCount isMember } }`, vars{"c": c}), "leaveCommunity", `{"isMember":false,"memberCount":1}`)
		w.Settle()
		w.asked("u", `{ myGroupChats { items { id } } }`, nil, "myGroupChats.items", `[]`)
		w.asked("f", chat, vars{"h": one}, "groupChat.numMembers", `1`)
		w.asked("f", chat, vars{"h": own}, "groupChat", `null`)
		w.asked("u", `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": r}, "chatRequest.status", `"CANCELLED"`)
		w.is(w.does("f", requests, vars{"h": third}), "groupChatRequests.items", `[]`)
		w.refused("NOT_FOUND NOT_MEMBER", "u", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, vars{"c": c})
		w.whole()
	})
}

func TestScenario22ABanIsLive(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "u", "x")
		p := w.meets("u", "x")
		v := vars{"u": w.ids["u"], "t": "PRIVATE", "h": p, "x": "hi"}
		w.does("oz", `mutation($u: ID!) { banUser(userId: $u) { banned } }`, v)
		w.refused("FORBIDDEN BANNED", "u", send, v)
		w.refused("FORBIDDEN BANNED", "u", `{ myCommunities { items { id } } }`)
		w.refused("FORBIDDEN BANNED", "u", `{ notificationCounts { unread } }`)
		w.refused("FORBIDDEN BANNED", "u", `mutation { heartbeat }`)
		w.asked("u", `{ me { username banned } }`, nil, "me", `{"banned":false,"username":"u"}`)
		w.refused("UNAUTHENTICATED", "", `mutation { login(login: "u", password: "correct horse") { accessToken } }`)
		// §8, openPrivateChat with somebody banned later: history stays, sending ends.
		w.asked("x", messages, v, "messages.items", `[]`)
		w.refused("NOT_FOUND", "x", send, v)
		w.whole()
	})
}

func TestScenario23PrivateChatsAreNobodyElses(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		p := w.meets("a", "b")
		m := w.writes("a", "PRIVATE", p, "secret")
		w.asked("c", `query($h: ID!) { privateChat(id: $h) { id } }`, vars{"h": p}, "privateChat", `null`)
		v := vars{"t": "PRIVATE", "h": p, "m": m}
		w.asked("c", oneMessage, v, "message", `null`)
		for _, id := range []string{p, "nothing"} {
			w.refused("NOT_FOUND", "c", messages, v, vars{"h": id})
			w.refused("NOT_FOUND", "c", erase, v, vars{"h": id})
			w.refused("NOT_FOUND", "c", markRead, v, vars{"h": id, "m": []string{m}})
		}
		w.registers("oz")
		w.refused("NOT_FOUND", "oz", erase, v) // §8, moderation: private chats do not exist for them
		w.whole()
	})
}

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
			d := w.does("a", messages, vars{"t": "GROUP", "h": h, "l": 20, "k": token})
			got = append(got, strings.Fields(d.list("messages.items", "id"))...)
			token = d.at("messages.nextToken")
			for i := range 5 * (2 - n) / 2 {
				w.writes("a", "GROUP", h, fmt.Sprint("new", n, i))
			}
		}
		if !slices.Equal(got, want) || token != nil {
			t.Errorf("listed %d of %d messages, then %v", len(got), len(want), token)
		}
		w.whole()
	})
}

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
		token := w.does("a", messages, v).at("messages.nextToken")
		w.does("a", messages, v, vars{"k": token, "l": 2}) // §8: limit is no part of the binding
		w.refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": token, "h": other})
		w.refused("BAD_INPUT INVALID_TOKEN", "b", messages, v, vars{"k": token})
		w.refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": token, "o": "ASC"})
		w.refused("BAD_INPUT INVALID_TOKEN", "a", `query($h: ID!, $k: String) { groupChat(id: $h) { messages(nextToken: $k) { nextToken } } }`, v, vars{"k": token})
		w.refused("BAD_INPUT INVALID_LIMIT", "a", messages, v, vars{"l": 101})
		nested := w.does("a", `query($h: ID!) { groupChat(id: $h) { messages(limit: 1) { nextToken } } }`, v).at("groupChat.messages.nextToken")
		w.refused("BAD_INPUT INVALID_TOKEN", "a", messages, v, vars{"k": nested}) // §8, page tokens
	})
}
