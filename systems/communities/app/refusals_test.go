package app_test

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// communities 5, 5.2#7, 5.2#9-11 and 8#reasons: every refusal of the specification, by code
// and reason, each for whoever is refused so. What has no reason there has none here.
func TestRefusals(t *testing.T) {
	test(t, func(w *world) {
		// The founder, a chat's owner and member, a member of the community and a
		// non-member, a moderator, a banned user, and a deleted one.
		w.registers("oz", "mod", "a", "o", "m", "i", "j", "out", "x", "gone")
		id := w.ids
		w.Does("oz", `mutation($u: ID!) { setUserRole(userId: $u, role: MODERATOR) { id } }`, vars{"u": id["mod"]})
		c, empty := w.founds("a", "Calm", "o", "m", "i", "j", "x"), w.founds("a", "Empty")
		open := w.opens("o", c, vars{"name": "open"})
		w.enters(open, "m", "x")
		full := w.opens("o", c, vars{"private": true, "capacity": 2})
		w.Does("o", accept, vars{"r": w.Does("m", ask, vars{"h": full}).Text("requestToJoin.id")})
		pending := w.Does("i", ask, vars{"h": full}).Text("requestToJoin.id")
		strict := w.opens("o", c, vars{"private": true})
		rejected := w.Does("i", ask, vars{"h": strict}).Text("requestToJoin.id")
		w.Does("o", reject, vars{"r": rejected})
		packed := w.opens("o", c, vars{"capacity": 2})
		w.enters(packed, "m")
		message := w.writes("m", "GROUP", open, "hello")
		letter := w.meets("m", "x")
		w.writes("m", "PRIVATE", letter, "hello")
		notice := w.Does("x", notices).Text("notifications.items.0.id")
		w.Does("gone", `mutation { deleteAccount(password: "correct horse") }`)
		w.Does("mod", `mutation($u: ID!) { banUser(userId: $u) { id } }`, vars{"u": id["x"]})
		w.Settle()

		const none = "00000000-0000-4000-8000-000000000000"
		v := vars{
			"none": none, "c": c, "empty": empty, "open": open, "full": full, "strict": strict, "packed": packed, "pending": pending, "rejected": rejected,
			"message": message, "letter": letter, "notice": notice, "a": id["a"], "o": id["o"], "m": id["m"], "i": id["i"], "out": id["out"], "x": id["x"], "gone": id["gone"],
			"oz": id["oz"], "mod": id["mod"],
		}
		const (
			banned  = "FORBIDDEN BANNED"
			lacks   = "FORBIDDEN PERMISSION_MISSING"
			outside = "FORBIDDEN NOT_CHAT_MEMBER"
			missing = "NOT_FOUND"
		)
		try := func(as, query, want string) {
			t.Helper()
			w.Refused(want, as, query, apptest.Used(query, v))
		}
		for want, all := range map[string][][2]string{
			banned: {
				{"x", `mutation { heartbeat }`}, {"x", `{ myCommunities { items { id } } }`}, {"x", `{ notifications { items { id } } }`}, {"x", `mutation { revokeSessions }`},
				{"x", `query($open: ID!) { groupChat(id: $open) { id } }`}, {"x", `mutation($open: ID!) { leaveGroupChat(id: $open) { id } }`},
				{"x", `mutation { deleteAccount(password: "correct horse") }`},
				{"x", `mutation($open: ID!) { sendMessage(chatType: GROUP, chatId: $open, content: "x") { id } }`}, {"x", `mutation { updateProfile(input: {name: "n"}) { id } }`},
				{"x", `mutation { changePassword(current: "correct horse", new: "another horse") }`}, {"x", `mutation($m: ID!) { banUser(userId: $m) { id } }`},
			},
			lacks: {
				{"m", `mutation($i: ID!) { banUser(userId: $i) { id } }`}, {"m", `mutation($x: ID!) { unbanUser(userId: $x) { id } }`}, {"mod", `mutation($i: ID!) { setUserRole(userId: ` +
					`$i, role: ADMIN) { id } }`},
				{"mod", `mutation($i: ID!) { setUserPermissions(userId: $i, permissions: []) { id } }`}, {"mod", `{ users { items { id } } }`},
				{"o", `mutation($c: ID!) { updateCommunity(id: $c, input: {name: "n"}) { id } }`}, {"mod", `mutation($c: ID!) { deleteCommunity(id: $c) }`},
				{"o", `mutation($c: ID!, $i: ID!) { removeCommunityMember(communityId: $c, userId: $i) { id } }`},
				{"o", `mutation($c: ID!, $i: ID!) { transferCommunity(id: $c, userId: $i) { id } }`},
				{"m", `mutation($open: ID!) { updateGroupChat(id: $open, input: {name: "n"}) { id } }`}, {"mod", `mutation($open: ID!) { deleteGroupChat(id: $open) }`},
				{"m", `mutation($open: ID!, $x: ID!) { removeGroupChatMember(id: $open, userId: $x) { id } }`},
				{"m", `mutation($open: ID!, $m: ID!) { transferGroupChat(id: $open, userId: $m) { id } }`},
				{"m", `mutation($pending: ID!) { acceptChatRequest(id: $pending) { id } }`}, {"m", `mutation($pending: ID!) { rejectChatRequest(id: $pending) { id } }`},
				{"i", `mutation($pending: ID!) { acceptChatRequest(id: $pending) { id } }`}, {"m", `mutation($pending: ID!) { markChatRequestSeen(id: $pending) { id } }`},
				{"m", `query($full: ID!) { groupChatRequests(chatId: $full, pendingOnly: false) { items { id } } }`},
				{"o", `mutation($open: ID!, $message: ID!) { editMessage(chatType: GROUP, chatId: $open, id: $message, content: "x") { id } }`},
			},
			"FORBIDDEN WRONG_PASSWORD": {{"m", `mutation { changePassword(current: "wrong horse", new: "another horse") }`}, {"m", `mutation { deleteAccount(password: "wrong horse") }`}},
			"FORBIDDEN CANNOT_BAN": {{"mod", `mutation($oz: ID!) { banUser(userId: $oz) { id } }`}, {"mod", `mutation($mod: ID!) { banUser(userId: $mod) { id } }`},
				{"oz", `mutation($oz: ID!) { banUser(userId: $oz) { id } }`}},
			"FORBIDDEN NOT_COMMUNITY_MEMBER": {
				{"out", `mutation($c: ID!) { createGroupChat(communityId: $c, input: {name: "n", description: "d"}) { id } }`},
				{"out", `mutation($open: ID!) { joinGroupChat(id: $open) { id } }`},
				{"out", `mutation($full: ID!) { requestToJoin(chatId: $full) { id } }`},
			},
			"FORBIDDEN PRIVATE_CHAT": {{"i", `mutation($full: ID!) { joinGroupChat(id: $full) { id } }`}, {"j", `mutation($strict: ID!) { joinGroupChat(id: $strict) { id } }`}},
			outside: {
				{"i", `query($open: ID!) { messages(chatType: GROUP, chatId: $open) { items { id } } }`}, {"i", `query($open: ID!) { groupChatMembers(chatId: $open) { items { role } } }`},
				{"i", `mutation($open: ID!) { sendMessage(chatType: GROUP, chatId: $open, content: "x") { id } }`},
				{"i", `mutation($open: ID!) { sendTyping(chatType: GROUP, chatId: $open) }`},
				{"i", `mutation($open: ID!) { muteChat(chatType: GROUP, chatId: $open, muted: true) }`}, {"i", `mutation($open: ID!, $message: ID!) { markMessagesRead(chatType: GROUP, ` +
					`chatId: $open, ids: [$message]) }`},
				{"i", `mutation($open: ID!, $message: ID!) { editMessage(chatType: GROUP, chatId: $open, id: $message, content: "x") { id } }`},
				{"i", `mutation($open: ID!, $message: ID!) { deleteMessage(chatType: GROUP, chatId: $open, id: $message) { id } }`},
				{"i", `mutation($open: ID!, $message: ID!) { reactToMessage(chatType: GROUP, chatId: $open, id: $message, type: LIKE) { id } }`},
				{"i", `mutation($open: ID!, $message: ID!) { removeReaction(chatType: GROUP, chatId: $open, id: $message) { id } }`},
				{"out", `query($full: ID!) { groupChatRequests(chatId: $full) { items { id } } }`}, {"j", `query($full: ID!) { groupChatRequests(chatId: $full) { items { id } } }`},
			},
			missing: {
				{"oz", `mutation($none: ID!) { banUser(userId: $none) { id } }`}, {"oz", `mutation($gone: ID!) { banUser(userId: $gone) { id } }`}, {"oz", `mutation($none: ID!) { ` +
					`setUserRole(userId: $none, role: ADMIN) { id } }`},
				{"a", `mutation($none: ID!) { updateCommunity(id: $none, input: {}) { id } }`}, {"a", `mutation($none: ID!) { deleteCommunity(id: $none) }`},
				{"a", `mutation($none: ID!) { joinCommunity(id: $none) { id } }`},
				{"a", `mutation($none: ID!) { leaveCommunity(id: $none) { id } }`}, {"a", `mutation($none: ID!) { transferCommunity(id: $none, userId: $none) { id } }`},
				{"a", `mutation($none: ID!, $a: ID!) { removeCommunityMember(communityId: $none, userId: $a) { id } }`},
				{"a", `query($none: ID!) { communityMembers(communityId: $none) { items { isFounder } } }`},
				{"a", `query($none: ID!) { communityGroupChats(communityId: $none) { items { id } } }`}, {"a", `query($gone: ID!) { userCommunities(userId: $gone) { items { id } } }`},
				{"a", `mutation($none: ID!) { createGroupChat(communityId: $none, input: {name: "n", description: "d"}) { id } }`},
				{"a", `mutation($none: ID!) { updateGroupChat(id: $none, input: {}) { id } }`}, {"a", `mutation($none: ID!) { deleteGroupChat(id: $none) }`},
				{"a", `mutation($none: ID!) { joinGroupChat(id: $none) { id } }`}, {"a", `mutation($none: ID!) { leaveGroupChat(id: $none) { id } }`},
				{"a", `mutation($none: ID!, $a: ID!) { removeGroupChatMember(id: $none, userId: $a) { id } }`},
				{"a", `mutation($none: ID!, $a: ID!) { transferGroupChat(id: $none, userId: $a) { id } }`},
				{"a", `query($none: ID!) { groupChatMembers(chatId: $none) { items { role } } }`}, {"a", `query($none: ID!) { messages(chatType: GROUP, chatId: $none) { items { id } } }`},
				{"a", `query($none: ID!) { groupChatRequests(chatId: $none) { items { id } } }`},
				{"m", `mutation($gone: ID!) { openPrivateChat(userId: $gone) { id } }`}, {"m", `mutation($none: ID!) { openPrivateChat(userId: $none) { id } }`},
				{"m", `mutation($x: ID!) { openPrivateChat(userId: $x) { id } }`},
				{"m", `mutation($letter: ID!) { sendMessage(chatType: PRIVATE, chatId: $letter, content: "x") { id } }`}, // to somebody banned
				{"o", `query($letter: ID!) { messages(chatType: PRIVATE, chatId: $letter) { items { id } } }`},
				{"oz", `query($letter: ID!) { messages(chatType: PRIVATE, chatId: $letter) { items { id } } }`}, {"o", `mutation($letter: ID!) { hidePrivateChat(id: $letter) }`},
				{"o", `mutation($letter: ID!) { muteChat(chatType: PRIVATE, chatId: $letter, muted: true) }`}, {"mod", `mutation($letter: ID!, $message: ID!) { deleteMessage(chatType: ` +
					`PRIVATE, chatId: $letter, id: $message) { id } }`},
				{"m", `mutation($open: ID!, $none: ID!) { editMessage(chatType: GROUP, chatId: $open, id: $none, content: "x") { id } }`},
				{"m", `mutation($open: ID!, $none: ID!) { deleteMessage(chatType: GROUP, chatId: $open, id: $none) { id } }`},
				{"m", `mutation($open: ID!, $none: ID!) { reactToMessage(chatType: GROUP, chatId: $open, id: $none, type: LIKE) { id } }`}, {"m", `mutation($open: ID!, ` +
					`$none: ID!) { sendMessage(chatType: GROUP, chatId: $open, content: "x", replyToId: $none) { id } }`},
				{"m", `mutation($packed: ID!, $message: ID!) { reactToMessage(chatType: GROUP, chatId: $packed, id: $message, type: LIKE) { id } }`}, // a message of another chat
				{"a", `mutation($none: ID!) { requestToJoin(chatId: $none) { id } }`}, {"a", `mutation($none: ID!) { acceptChatRequest(id: $none) { id } }`},
				{"out", `mutation($pending: ID!) { acceptChatRequest(id: $pending) { id } }`},
				{"j", `mutation($pending: ID!) { rejectChatRequest(id: $pending) { id } }`}, {"o", `mutation($pending: ID!) { cancelChatRequest(id: $pending) { id } }`},
				{"out", `mutation($pending: ID!) { cancelChatRequest(id: $pending) { id } }`},
				{"m", `mutation($notice: ID!) { markNotificationRead(id: $notice) { id } }`}, {"m", `mutation($notice: ID!) { deleteNotification(id: $notice) }`},
			},
			"NOT_FOUND NO_REACTION": {{"m", `mutation($open: ID!, $message: ID!) { removeReaction(chatType: GROUP, chatId: $open, id: $message) { id } }`}},
			"NOT_FOUND NOT_MEMBER": {
				{"out", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`}, {"a", `mutation($c: ID!, $out: ID!) { removeCommunityMember(communityId: $c, userId: $out) { id } }`},
				{"a", `mutation($c: ID!, $out: ID!) { transferCommunity(id: $c, userId: $out) { id } }`},
				{"i", `mutation($open: ID!) { leaveGroupChat(id: $open) { id } }`}, {"o", `mutation($open: ID!, $i: ID!) { removeGroupChatMember(id: $open, userId: $i) { id } }`},
				{"o", `mutation($open: ID!, $i: ID!) { transferGroupChat(id: $open, userId: $i) { id } }`},
			},
			"CONFLICT USERNAME_TAKEN": {{"m", `mutation { updateProfile(input: {username: "OUT"}) { id } }`}},
			"CONFLICT EMAIL_TAKEN":    {{"m", `mutation { updateProfile(input: {email: "OUT@example.com"}) { id } }`}},
			"CONFLICT NAME_TAKEN": {{"a", `mutation($empty: ID!) { updateCommunity(id: $empty, input: {name: "calm"}) { id } }`}, {"m", `mutation { createCommunity(input: {name: ` +
				`"EMPTY", description: "d", topic: PTSD, location: {city: "a", state: "b", country: "c"}}) { id } }`}},
			"CONFLICT ALREADY_MEMBER": {
				{"m", `mutation($c: ID!) { joinCommunity(id: $c) { id } }`}, {"m", `mutation($open: ID!) { joinGroupChat(id: $open) { id } }`}, {"m", `mutation($full: ID!) { ` +
					`requestToJoin(chatId: $full) { id } }`}, {"m", `mutation($full: ID!) { joinGroupChat(id: $full) { id } }`},
			},
			"CONFLICT ALREADY_BANNED":  {{"mod", `mutation($x: ID!) { banUser(userId: $x) { id } }`}},
			"CONFLICT NOT_BANNED":      {{"mod", `mutation($m: ID!) { unbanUser(userId: $m) { id } }`}},
			"CONFLICT REQUEST_PENDING": {{"i", `mutation($full: ID!) { requestToJoin(chatId: $full) { id } }`}},
			"CONFLICT REQUEST_ALREADY_DECIDED": {{"o", `mutation($rejected: ID!) { acceptChatRequest(id: $rejected) { id } }`},
				{"a", `mutation($rejected: ID!) { rejectChatRequest(id: $rejected) { id } }`}, {"i", `mutation($rejected: ID!) { cancelChatRequest(id: $rejected) { id } }`}},
			"CONCURRENT_UPDATE 1": {{"m", `mutation { updateProfile(input: {expectedVersion: 7}) { id } }`},
				{"a", `mutation($c: ID!) { updateCommunity(id: $c, input: {expectedVersion: 0}) { id } }`},
				{"o", `mutation($open: ID!) { updateGroupChat(id: $open, input: {expectedVersion: 2}) { id } }`}},
			"LIMIT_EXCEEDED CHAT_FULL": {{"i", `mutation($packed: ID!) { joinGroupChat(id: $packed) { id } }`}, {"o", `mutation($pending: ID!) { acceptChatRequest(id: ` +
				`$pending) { id } }`}, {"a", `mutation($pending: ID!) { acceptChatRequest(id: $pending) { id } }`},
				{"oz", `mutation($pending: ID!) { acceptChatRequest(id: $pending) { id } }`}},
			"PRECONDITION_FAILED USER_BANNED":      {{"oz", `mutation($x: ID!) { setUserPermissions(userId: $x, permissions: []) { id } }`}},
			"PRECONDITION_FAILED FOUNDS_COMMUNITY": {{"a", `mutation { deleteAccount(password: "correct horse") }`}},
			"PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE": {{"a", `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`}, {"oz", `mutation($c: ID!, $a: ID!) { ` +
				`removeCommunityMember(communityId: $c, userId: $a) { id } }`}},
			"PRECONDITION_FAILED COMMUNITY_HAS_CHATS": {{"a", `mutation($c: ID!) { deleteCommunity(id: $c) }`}},
			"PRECONDITION_FAILED CHAT_IS_OPEN": {{"i", `mutation($open: ID!) { requestToJoin(chatId: $open) { id } }`},
				{"out", `mutation($open: ID!) { requestToJoin(chatId: $open) { id } }`}},
			"PRECONDITION_FAILED REQUEST_TOO_SOON": {{"i", `mutation($strict: ID!) { requestToJoin(chatId: $strict) { id } }`}},
			"PRECONDITION_FAILED CAPACITY_TOO_LOW": {{"o", `mutation($open: ID!) { updateGroupChat(id: $open, input: {capacity: 2}) { id } }`}},
			"BAD_INPUT SELF":                       {{"m", `mutation($m: ID!) { openPrivateChat(userId: $m) { id } }`}},
			"BAD_INPUT LOCATION_INCOMPLETE": {{"m", `{ communities { items { id } } }`}, {"m", `{ communities(city: "a", country: "b") { items { id } } }`},
				{"m", `{ communities(state: "a", topic: PTSD) { items { id } } }`}},
			"BAD_INPUT PERMISSION_BEYOND_ROLE": {{"oz", `mutation($m: ID!) { setUserPermissions(userId: $m, permissions: [BAN_USER]) { id } }`}},
			"UNAUTHENTICATED": {{"", `mutation { login(login: "nobody", password: "correct horse") { accessToken } }`},
				{"", `mutation { login(login: "` + strings.Repeat("\ufdfa", 100_000) + `", password: "correct horse") { accessToken } }`},
				{"", `mutation { login(login: "x", password: "correct horse") { accessToken } }`}, {"", `mutation { login(login: "gone", password: "correct horse") { accessToken } }`},
				{"", `mutation { refreshSession(refreshToken: "x.y") { accessToken } }`}},
		} {
			for _, c := range all {
				try(c[0], c[1], want)
			}
		}
		// Queries of a single thing that does not exist, or that the caller may not see,
		// return null.
		for _, c := range [][2]string{
			{"a", `query($none: ID!) { one: user(id: $none) { id } }`}, {"a", `query($gone: ID!) { one: user(id: $gone) { id } }`},
			{"a", `{ one: userByUsername(username: "gone") { id } }`}, {"m", `{ one: userByEmail(email: "a@example.com") { id } }`},
			{"a", `query($none: ID!) { one: community(id: $none) { id } }`}, {"a", `{ one: communityByName(name: "none") { id } }`},
			{"a", `query($none: ID!) { one: groupChat(id: $none) { id } }`},
			{"o", `query($letter: ID!) { one: privateChat(id: $letter) { id } }`}, {"oz", `query($letter: ID!) { one: privateChat(id: $letter) { id } }`},
			{"o", `query($out: ID!) { one: privateChatWith(userId: $out) { id } }`},
			{"i", `query($open: ID!, $message: ID!) { one: message(chatType: GROUP, chatId: $open, id: $message) { id } }`}, {"o", `query($letter: ID!, ` +
				`$message: ID!) { one: message(chatType: PRIVATE, chatId: $letter, id: $message) { id } }`},
			{"m", `query($open: ID!, $none: ID!) { one: message(chatType: GROUP, chatId: $open, id: $none) { id } }`},
			{"out", `query($pending: ID!) { one: chatRequest(id: $pending) { id } }`}, {"m", `query($rejected: ID!) { one: chatRequest(id: $rejected) { id } }`},
		} {
			w.Asked(c[0], c[1], apptest.Used(c[1], v), "one", `null`)
		}
		w.Advance(24*time.Hour + time.Second)
		w.logsIn("i")
		w.Does("i", ask, vars{"h": strict})
		w.Whole()
	})
}

// communities 5.2#4, 5.2#8 and 5.2#10: each permission is required for what it is named
// after, and for nothing else.
func TestPermissionsAreNeeded(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "a", "u")
		c := w.founds("a", "Calm")
		other := w.founds("a", "Quiet", "u")
		open, closed, inside := w.opens("a", other), w.opens("a", other, vars{"private": true}), w.opens("a", other)
		w.enters(inside, "u")
		message := w.writes("a", "GROUP", inside, "hello")
		v := vars{"c": c, "other": other, "open": open, "closed": closed, "inside": inside, "message": message, "a": w.ids["a"]}
		all := []string{"READ_CHAT_MESSAGE", "WRITE_CHAT_MESSAGE", "CREATE_GROUP_CHAT", "JOIN_GROUP_CHAT", "CREATE_PRIVATE_CHAT", "CREATE_COMMUNITY", "JOIN_COMMUNITY"}
		for _, x := range []struct{ permission, query string }{
			{"READ_CHAT_MESSAGE", `query($inside: ID!) { messages(chatType: GROUP, chatId: $inside) { items { id } } }`},
			{"READ_CHAT_MESSAGE", `query($inside: ID!, $message: ID!) { message(chatType: GROUP, chatId: $inside, id: $message) { id } }`},
			{"READ_CHAT_MESSAGE", `mutation($inside: ID!, $message: ID!) { markMessagesRead(chatType: GROUP, chatId: $inside, ids: [$message]) }`},
			{"WRITE_CHAT_MESSAGE", `mutation($inside: ID!) { sendMessage(chatType: GROUP, chatId: $inside, content: "x") { id } }`},
			{"WRITE_CHAT_MESSAGE", `mutation($inside: ID!) { sendTyping(chatType: GROUP, chatId: $inside) }`},
			{"CREATE_GROUP_CHAT", `mutation($other: ID!) { createGroupChat(communityId: $other, input: {name: "n", description: "d"}) { id } }`},
			{"JOIN_GROUP_CHAT", `mutation($closed: ID!) { requestToJoin(chatId: $closed) { id } }`},
			{"JOIN_GROUP_CHAT", `mutation($open: ID!) { joinGroupChat(id: $open) { id } }`},
			{"CREATE_PRIVATE_CHAT", `mutation($a: ID!) { openPrivateChat(userId: $a) { id } }`},
			{"CREATE_COMMUNITY", `mutation { createCommunity(input: {name: "New", description: "d", topic: PTSD, location: {city: "a", state: "b", country: "c"}}) { id } }`},
			{"JOIN_COMMUNITY", `mutation($c: ID!) { joinCommunity(id: $c) { id } }`},
		} {
			may := func(granted []string) {
				w.Does("oz", `mutation($u: ID!, $p: [Permission!]!) { setUserPermissions(userId: $u, permissions: $p) { id } }`, vars{"u": w.ids["u"], "p": granted})
			}
			may(without(all, x.permission))
			w.Refused("FORBIDDEN PERMISSION_MISSING", "u", x.query, apptest.Used(x.query, v))
			may([]string{x.permission})
			w.Does("u", x.query, apptest.Used(x.query, v))
		}
		w.Whole()
	})
}
