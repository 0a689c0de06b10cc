package dating_test

import (
	"testing"
	"time"

	"stoa/internal/appstore/appstoretest"

	. "stoa/social/socialtest"
)

var receipt = appstoretest.Receipt{Status: 21003}

// stands returns a query for the viewer's relation to another user.
func stands(other string) string { return `{ user(userId: "{` + other + `}") { matchStatus } }` }

func is(status string) string { return `{"user":{"matchStatus":"` + status + `"}}` }

// hears returns the notifications of both users about a change of their match.
func hears(a, b string) Hears {
	one := func(other string) []string {
		return []string{`{"onNotification":{"type":"USER_DATING_MATCH_CHANGED","matchUserId":"{` + other + `}"}}`}
	}
	return Hears{a: one(b), b: one(a)}
}

// users M6, M7, M8 and M12: which users match, and who is notified.
func TestMatching(t *testing.T) {
	given := Users("ana", "ben").Datable("ana", "ben").Dating("ana").ListenToMatches("ana", "ben")
	both := Daters("ana", "ben").ListenToMatches("ana", "ben")
	set := func(arguments string) string { return `mutation { setUserDetails(` + arguments + `) { userId } }` }
	matched := []Scenario{
		{As: "ana", Query: stands("ben"), Want: is("POTENTIAL")},
		{As: "ben", Query: `{ user(userId: "{ana}") { matchStatus } self { matchStatus matchedUsers(matchStatus: POTENTIAL) { items { username matchStatus } nextToken } } }`,
			Want: `{"user":{"matchStatus":"POTENTIAL"},"self":{"matchStatus":"NOT_MATCHED","matchedUsers":{"items":[{"username":"ana","matchStatus":"POTENTIAL"}],"nextToken":null}}}`},
	}
	apart := []Scenario{
		{As: "ana", Query: stands("ben"), Want: is("NOT_MATCHED")},
		{As: "ben", Query: `{ user(userId: "{ana}") { matchStatus } self { matchedUsers(matchStatus: POTENTIAL) { items { username } } } }`,
			Want: `{"user":{"matchStatus":"NOT_MATCHED"},"self":{"matchedUsers":{"items":[]}}}`},
	}
	ends := func(name, arguments string) Scenario {
		return Scenario{Name: "users M8 a match: " + name, Given: both, As: "ben", Query: set(arguments), Hears: hears("ana", "ben"), Then: apart}
	}
	begins := func(name, arguments string) Scenario {
		return Scenario{Name: "users M8 no match any more: " + name,
			Given: Users("ana", "ben").Datable("ana", "ben").Details("ben", arguments).Dating("ana", "ben").ListenToMatches("ana", "ben"),
			As:    "ben", Query: set(`gender: FEMALE, height: 66, location: {latitude: 40, longitude: -75}, dateOfBirth: "1990-06-15", matchAgeRange: {min: 18, max: 100}, ` +
				`matchGenders: [FEMALE], matchHeightRange: {min: 0, max: 117}, matchLocationRadius: 50`),
			Hears: hears("ana", "ben"), Then: matched}
	}
	Run(t, []Scenario{
		{Name: "users M7 a match has two records", Given: given, As: "ben", Query: enable, Hears: hears("ana", "ben"), Calls: Calls{Total: 30}, Then: matched},
		{Name: "off", Given: both, As: "ben", Query: disable, Hears: hears("ana", "ben"), Then: apart},
		ends("too old", `dateOfBirth: "1930-01-01", matchAgeRange: {min: 18, max: 20}`),
		ends("looking for others by age", `matchAgeRange: {min: 36, max: 100}`),
		ends("looking for others by gender", `matchGenders: [MALE]`),
		ends("looking for others by height", `matchHeightRange: {min: 67, max: 100}`),
		ends("gone far away", `location: {latitude: 41, longitude: -75}`),
		begins("looking for others by age", `matchAgeRange: {min: 18, max: 34}`),
		begins("looking for others by gender", `matchGenders: [MALE]`),
		begins("looking for others by height", `matchHeightRange: {min: 0, max: 65}`),
		begins("far away", `location: {latitude: -40, longitude: 105}`),
		{Name: "users M6: bounds are included",
			Given: given.Details("ben", `matchAgeRange: {min: 35, max: 35}, matchHeightRange: {min: 66, max: 66}`), As: "ben", Query: enable, Then: matched},
		{Name: "users M6: one is enough to be too far",
			Given: given.Details("ben", `location: {latitude: 40.1, longitude: -75}, matchLocationRadius: 5`), As: "ben", Query: enable, Hears: Hears{}, Then: apart},
		{Name: "users M6 and M11: within miles",
			Given: given.Details("ben", `location: {latitude: 40.07, longitude: -75}, matchLocationRadius: 5`), As: "ben", Query: enable, Then: matched},
		{
			Name:  "users M8: what says nothing about the person",
			Given: both.Approve("ana", "ben"),
			As:    "ben",
			Query: set(`fullName: "Other", displayName: "O", bio: "b"`),
			Hears: Hears{},
			Then:  []Scenario{{As: "ana", Query: stands("ben"), Want: is("APPROVED")}},
		},
		{Name: "users M8: what still fits", Given: both.Approve("ana", "ben"), As: "ben", Query: set(`height: 67, matchLocationRadius: 40`), Hears: Hears{},
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("APPROVED")}}},
		{Name: "users M8, D-b: nothing is kept of what was",
			Given: both.Approve("ana", "ben").Details("ben", `matchGenders: [MALE]`), As: "ben", Query: set(`matchGenders: [FEMALE]`), Hears: hears("ana", "ben"), Then: matched},
		{Name: "D-c: a block ends it", Given: both, As: "ben", Query: `mutation { blockUser(userId: "{ana}") { userId } }`, Hears: hears("ana", "ben"),
			Then: append(apart[:1:1],
				Scenario{Name: "for good", As: "ana", Query: set(`height: 65`), Hears: Hears{}},
				Scenario{Name: "until it ends", As: "ben", Query: `mutation { unblockUser(userId: "{ana}") { userId } }`, Hears: hears("ana", "ben")},
				matched[0], matched[1])},
		{Name: "D-c: a block keeps it from beginning", Given: given.Block("ana", "ben"), As: "ben", Query: enable, Hears: Hears{}, Then: apart[:1]},
	})
}

// users M6: paying users may look without a limit on distance, and find others who do so.
func TestMatchingFarAway(t *testing.T) {
	far := func(names ...string) Given {
		g := Users(names...).Datable(names...)
		for _, name := range names {
			g = g.Bonus(name).Details(name, `matchLocationRadius: 20000`)
		}
		return g
	}
	Run(t, []Scenario{
		{Name: "both far", Given: far("ana", "ben").Details("ben", `location: {latitude: -40, longitude: 105}`).Dating("ana"), As: "ben", Query: enable,
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("POTENTIAL")}}},
		{Name: "one far", Given: far("ana").Users("ben").Datable("ben").Details("ben", `location: {latitude: -40, longitude: 105}`).Dating("ana"), As: "ben", Query: enable,
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("NOT_MATCHED")}}},
		{Name: "one far, and near", Given: far("ana").Users("ben").Datable("ben").Dating("ana"), As: "ben", Query: enable,
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("POTENTIAL")}}},
		{Name: "one far, who comes near", Given: far("ana").Details("ana", `location: {latitude: -40, longitude: 105}`).Users("ben").Datable("ben").Dating("ana", "ben"),
			As: "ana", Query: `mutation { setUserDetails(location: {latitude: 40, longitude: -75}) { userId } }`,
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("POTENTIAL")}}},
	})
}

// chats 3.12 and realtime 4#4,7-8: a match that both sides approve opens a chat and
// notifies both, one side's verdict nobody.
func TestJudging(t *testing.T) {
	both := Daters("ana", "ben").ListenToMatches("ana", "ben")
	approve, reject := `mutation { approveMatch(userId: "{ben}") }`, `mutation { rejectMatch(userId: "{ben}") }`
	const none, moved = "ClientError: Match does not exist", "ClientError: Invalid match transition"
	lists := `{ self { p: matchedUsers(matchStatus: POTENTIAL) { items { username } } r: matchedUsers(matchStatus: REJECTED) { items { username } }
		a: matchedUsers(matchStatus: APPROVED) { items { username } } c: matchedUsers(matchStatus: CONFIRMED) { items { username } } } }`
	Run(t, []Scenario{
		{Name: "approve", Given: both, As: "ana", Query: approve, Want: `{"approveMatch":true}`, Hears: Hears{}, Counts: Counts{"ben.approvalCount": 1}, Calls: Calls{Total: 6},
			Then: []Scenario{
				{As: "ana", Query: stands("ben"), Want: is("APPROVED")},
				{As: "ana", Query: lists, Want: `{"self":{"p":{"items":[]},"r":{"items":[]},"a":{"items":[{"username":"ben"}]},"c":{"items":[]}}}`},
				{Name: "the other has not", As: "ben", Query: stands("ana"), Want: is("POTENTIAL")},
				{Name: "twice", As: "ana", Query: approve, Error: moved},
				{Name: "approved cannot be rejected", As: "ana", Query: reject, Error: moved},
			}},
		{Name: "reject", Given: both, As: "ana", Query: reject, Want: `{"rejectMatch":true}`, Hears: Hears{}, Counts: Counts{},
			Then: []Scenario{
				{As: "ana", Query: stands("ben"), Want: is("REJECTED")},
				{As: "ana", Query: lists, Want: `{"self":{"p":{"items":[]},"r":{"items":[{"username":"ben"}]},"a":{"items":[]},"c":{"items":[]}}}`},
				{As: "ben", Query: stands("ana"), Want: is("POTENTIAL")},
				{Name: "rejected cannot be approved", As: "ana", Query: approve, Error: moved},
				{Name: "rejected cannot be rejected", As: "ana", Query: reject, Error: moved},
				{Name: "the other may approve", As: "ben", Query: `mutation { approveMatch(userId: "{ana}") }`, Want: `{"approveMatch":true}`, Hears: Hears{}},
				{Name: "which confirms nothing", As: "ben", Query: stands("ana"), Want: is("APPROVED")},
			}},
		{Name: "confirm", Given: both.Approve("ben", "ana"), As: "ana", Query: approve, Want: `{"approveMatch":true}`,
			Adds:  true, // with an id of its own for the chat
			Hears: Hears{"ana": {match("ben"), unviewed}, "ben": {match("ana"), unviewed}},
			Counts: Counts{
				"ana.chatCount":                      1,
				"ben.chatCount":                      1,
				"ana.chatsWithUnviewedMessagesCount": 1,
				"ben.chatsWithUnviewedMessagesCount": 1,
				"ana.cardCount":                      1,
				"ben.cardCount":                      1,
			},
			Then: []Scenario{
				{As: "ana", Query: stands("ben"), Want: is("CONFIRMED")},
				{As: "ben", Query: stands("ana"), Want: is("CONFIRMED")},
				{As: "ben", Query: lists, Want: `{"self":{"p":{"items":[]},"r":{"items":[]},"a":{"items":[]},"c":{"items":[{"username":"ana"}]}}}`},
				{Name: "confirmed cannot be rejected", As: "ben", Query: `mutation { rejectMatch(userId: "{ana}") }`, Error: moved},
				{
					Name: "the chat has one message of nobody",
					As:   "ben",
					Query: `{ user(userId: "{ana}") { directChat { chatType userCount messagesCount messages { items { author { userId } authorUserId } } } } ` +
						`self { cards(limit: 1) { items { title } } } }`,
					Want: `{"user":{"directChat":{"chatType":"DIRECT","userCount":2,"messagesCount":1,"messages":{"items":[{"author":null,"authorUserId":null}]}}},` +
						`"self":{"cards":{"items":[{"title":"You have 1 chat with new messages"}]}}}`,
				},
			}},
		{Name: "of many, which only changes their order", Given: Daters("ana", "ben", "cem").ListenToMatches("ana", "ben", "cem"), As: "ana", Query: approve, Hears: Hears{},
			Then: []Scenario{
				{
					As:    "cem",
					Query: `{ self { matchedUsers(matchStatus: POTENTIAL) { items { username } } } }`,
					Want:  `{"self":{"matchedUsers":{"items":[{"username":"ben"},{"username":"ana"}]}}}`,
				},
			}},
		{Name: "no match", Given: Users("ana", "ben"), As: "ana", Query: approve, Error: none},
		{Name: "no match to reject", Given: Users("ana", "ben"), As: "ana", Query: reject, Error: none},
		{Name: "oneself", Given: both, As: "ben", Query: approve, Error: none},
		{Name: "nobody", Given: both, As: "ana", Query: `mutation { approveMatch(userId: "nobody") }`, Error: none},
		{
			Name:   "a chat that is there stays alone",
			Given:  Users("ana", "ben").DirectChat("ana", "ben", "chat", "first").Datable("ana", "ben").Dating("ana", "ben").Approve("ben", "ana"),
			As:     "ana",
			Query:  approve,
			Counts: Counts{"ana.chatCount": 0, "ben.cardCount": 0},
			Then: []Scenario{
				{As: "ana", Query: `{ user(userId: "{ben}") { directChat { chatId messagesCount } } }`, Want: `{"user":{"directChat":{"chatId":"chat","messagesCount":1}}}`},
			},
		},
		{Name: "the chat outlives the match", Given: both.Approve("ben", "ana").Approve("ana", "ben").NotDating("ben"), As: "ana",
			Query: `{ user(userId: "{ben}") { matchStatus directChat { userCount } } }`, Want: `{"user":{"matchStatus":"NOT_MATCHED","directChat":{"userCount":2}}}`},
		{Name: "approvals that meet confirm", Given: both, Meanwhile: Given{}.Approve("ben", "ana"), As: "ana", Query: approve, Want: `{"approveMatch":true}`,
			Then: []Scenario{{As: "ana", Query: stands("ben"), Want: is("CONFIRMED")}, {As: "ben", Query: stands("ana"), Want: is("CONFIRMED")}}},
		{Name: "the match has ended meanwhile", Given: both, Meanwhile: Given{}.NotDating("ben"), As: "ana", Query: approve, Error: none},
	})
}

func match(other string) string {
	return `{"onNotification":{"type":"USER_DATING_MATCH_CHANGED","matchUserId":"{` + other + `}"}}`
}

const unviewed = `{"onNotification":{"type":"USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED","matchUserId":null}}`

// users M10: potential matches are ordered by the total number of approvals they have received.
func TestOrderOfPotentialMatches(t *testing.T) {
	list := `{ self { matchedUsers(matchStatus: POTENTIAL, limit: 1%s) { items { username } nextToken } } }`
	Test(t, Daters("ana", "ben", "cem", "dee").Approve("cem", "ben").Approve("ana", "cem").Approve("ben", "cem"), func(w *World) {
		if got, want := w.Pages("dee", list, "self", "matchedUsers"), `[{"username":"cem"}] [{"username":"ben"}] [{"username":"ana"}]`; got != want {
			w.T.Errorf("dee sees %s, want %s", got, want)
		}
		// The same applies to users who join later.
		w.Do(Given{}.Users("eve").Datable("eve").Dating("eve")...)
		all := `{ self { matchedUsers(matchStatus: POTENTIAL) { items { username } } } }`
		got := string(w.Must("eve", all).Data)
		for _, want := range []string{
			`{"self":{"matchedUsers":{"items":[{"username":"cem"},{"username":"ben"},{"username":"ana"},{"username":"dee"}]}}}`,
			`{"self":{"matchedUsers":{"items":[{"username":"cem"},{"username":"ben"},{"username":"dee"},{"username":"ana"}]}}}`,
		} {
			if got == want {
				got = ""
			}
		}
		if got != "" {
			w.T.Errorf("eve sees %s", got)
		}
	})
}

// D-d: other lists are ordered latest first.
func TestOrderOfJudgedMatches(t *testing.T) {
	Test(t, Daters("ana", "ben", "cem", "dee").Reject("ana", "cem").Reject("ana", "ben").Reject("ana", "dee"), func(w *World) {
		list := `{ self { matchedUsers(matchStatus: REJECTED, limit: 2%s) { items { username } nextToken } } }`
		if got, want := w.Pages("ana", list, "self", "matchedUsers"), `[{"username":"dee"},{"username":"ben"}] [{"username":"cem"}]`; got != want {
			w.T.Errorf("ana sees %s, want %s", got, want)
		}
	})
}

// users M9: the order of checks.
func TestMatchedUsersRefusals(t *testing.T) {
	given := Daters("ana", "ben")
	const limit = "ClientError: Limit cannot be less than 1 or greater than 100"
	Run(t, []Scenario{
		{
			Name:  "the limit",
			Given: given,
			As:    "ana",
			Query: `{ user(userId: "{ben}") { matchedUsers(matchStatus: NOT_MATCHED, limit: 0) { items { userId } } } }`,
			Want:  `{"user":{"matchedUsers":null}}`,
			Error: limit,
		},
		{
			Name:  "then others",
			Given: given,
			As:    "ana",
			Query: `{ user(userId: "{ben}") { matchedUsers(matchStatus: NOT_MATCHED) { items { userId } } } }`,
			Want:  `{"user":{"matchedUsers":null}}`,
		},
		{
			Name:  "then the status",
			Given: given,
			As:    "ana",
			Query: `{ self { matchedUsers(matchStatus: NOT_MATCHED) { items { userId } } } }`,
			Want:  `{"self":{"matchedUsers":null}}`,
			Error: "ClientError: Cannot request using status NOT_MATCHED",
		},
	})
}

func TestSwipedRightUsers(t *testing.T) {
	const query = `{ swipedRightUsers { username matchStatus } }`
	given := Daters("ana", "ben", "cem", "dee").Bonus("ana").Approve("ben", "ana").Approve("cem", "ana").Approve("dee", "ana")
	Run(t, []Scenario{
		{Name: "those who wait", Given: given, As: "ana", Query: query,
			Want: `{"swipedRightUsers":[{"username":"dee","matchStatus":"POTENTIAL"},{"username":"cem","matchStatus":"POTENTIAL"},{"username":"ben","matchStatus":"POTENTIAL"}]}`},
		{
			Name:  "D-f: none who is judged",
			Given: given.Reject("ana", "cem").Approve("ana", "ben"),
			As:    "ana",
			Query: query,
			Want:  `{"swipedRightUsers":[{"username":"dee","matchStatus":"POTENTIAL"}]}`,
		},
		{Name: "none", Given: Users("ana").Bonus("ana"), As: "ana", Query: query, Want: `{"swipedRightUsers":[]}`},
		{Name: "at BASIC", Given: given, As: "ben", Query: query, Want: `{"swipedRightUsers":null}`, Error: "ClientError: User subscription level is not diamond"},
		{Name: "disabled", Given: given.Status("ana", "DISABLED"), As: "ana", Query: query, Want: `{"swipedRightUsers":null}`, Error: "ClientError: User `{ana}` is not ACTIVE"},
	})
}

// users M13 and M14: users whom dating has shown to each other can chat once they have confirmed, or
// after thirty days.
// chats 1.3#1-3, 3.1#6-7 and 3.3
func TestChatLock(t *testing.T) {
	chat := `mutation { createDirectChat(userId: "{ben}", chatId: "c", messageId: "m", messageText: "hello") { chatId } }`
	group := `mutation { createGroupChat(userIds: ["{ben}", "{cem}"], chatId: "g", messageId: "m", messageText: "hello") { userCount } }`
	const opened, locked = `{"createDirectChat":{"chatId":"c"}}`, "ClientError: Cannot chat user viewed on dating unless it is a match"
	given := Daters("ana", "ben").Users("cem")
	Run(t, []Scenario{
		{Name: "potential", Given: given, As: "ana", Query: chat, Error: locked},
		{Name: "approved", Given: given.Approve("ana", "ben"), As: "ana", Query: chat, Error: locked},
		{Name: "approved by the other", Given: given.Approve("ben", "ana"), As: "ana", Query: chat, Error: locked},
		{Name: "rejected", Given: given.Reject("ben", "ana"), As: "ana", Query: chat, Error: locked},
		{Name: "one side rejected", Given: given.Reject("ben", "ana").Approve("ana", "ben"), As: "ana", Query: chat, Error: locked},
		{Name: "nearly thirty days", Given: given.And(later(30*day-8*time.Second)).Details("ana", `bio: "here"`), As: "ana", Query: chat, Error: locked},
		{Name: "thirty days", Given: given.And(later(30*day)).Details("ana", `bio: "here"`), As: "ana", Query: chat, Want: opened},
		{
			Name:  "D-i: an approval does not begin it anew",
			Given: given.And(later(day)).Approve("ana", "ben").And(later(29*day)).Details("ana", `bio: "here"`),
			As:    "ana",
			Query: chat,
			Want:  opened,
		},
		{Name: "no match any more", Given: given.NotDating("ben"), As: "ana", Query: chat, Want: opened},
		{
			Name:  "the other is disabled, which comes first",
			Given: given.Status("ben", "DISABLED"),
			As:    "ana",
			Query: chat,
			Error: "ClientError: Cannot open direct chat with user with status `DISABLED`",
		},
		{Name: "matched meanwhile", Given: Users("ana", "ben").Datable("ana", "ben").Dating("ana"), Meanwhile: Given{}.Dating("ben"), As: "ana", Query: chat, Error: locked},
		{Name: "a group", Given: given, As: "ana", Query: group, Adds: true, Want: `{"createGroupChat":{"userCount":2}}`},
		{Name: "a group that is there", Given: given.Group("ana", "cem", "g", "m"), As: "ana", Query: `mutation { addToGroupChat(chatId: "g", userIds: ["{ben}"]) { userCount } }`,
			Want: `{"addToGroupChat":{"userCount":2}}`, Counts: Counts{}},
		{
			Name:  "a group after thirty days",
			Given: given.And(later(30*day)).Details("ana", `bio: "here"`),
			As:    "ana",
			Query: group,
			Adds:  true,
			Want:  `{"createGroupChat":{"userCount":3}}`,
		},
		{
			Name:  "a group of a confirmed match",
			Given: given.Approve("ana", "ben").Approve("ben", "ana"),
			As:    "ana",
			Query: group,
			Adds:  true,
			Want:  `{"createGroupChat":{"userCount":3}}`,
		},
	})
}

func later(d time.Duration) func(*World) { return func(w *World) { w.Advance(d) } }

// users M15: comments on images of users whom dating has recently shown are locked like chats.
// chats 1.2#6 and 1.3#1-3
func TestCommentLock(t *testing.T) {
	comment := `mutation { addComment(commentId: "c", postId: "p", text: "hello") { commentId } }`
	const added, locked = `{"addComment":{"commentId":"c"}}`, "ClientError: Cannot add comment unless it is a confirmed match on dating"
	given := Daters("ana", "ben").Image("ben", "p", 8, 8)
	Run(t, []Scenario{
		{Name: "an image", Given: given, As: "ana", Query: comment, Error: locked},
		{Name: "after thirty days", Given: given.And(later(30*day)).Details("ana", `bio: "here"`), As: "ana", Query: comment, Want: added},
		{Name: "of a confirmed match", Given: given.Approve("ana", "ben").Approve("ben", "ana"), As: "ana", Query: comment, Want: added},
		{Name: "one's own", Given: given, As: "ben", Query: comment, Want: added},
		{Name: "of somebody else", Given: given.Users("cem"), As: "cem", Query: comment, Want: added},
		{Name: "a text", Given: Daters("ana", "ben").Post("ben", "p"), As: "ana", Query: comment, Want: added},
	})
}

// Two users who approve of each other concurrently are confirmed, and have one chat.
func TestApprovalsAtTheSameTime(t *testing.T) {
	Test(t, Daters("ana", "ben", "cem", "dee"), func(w *World) {
		names := []string{"ana", "ben", "cem", "dee"}
		var pairs [][2]string
		for i, a := range names {
			for _, b := range names[i+1:] {
				pairs = append(pairs, [2]string{a, b}, [2]string{b, a})
			}
		}
		w.Restless(true)
		w.Together(len(pairs), func(i int) {
			w.Must(pairs[i][0], `mutation { approveMatch(userId: "{`+pairs[i][1]+`}") }`)
		})
		w.Restless(false)
		w.Settle()
		for _, p := range pairs {
			w.Play(Scenario{As: p[0], Query: `{ user(userId: "{` + p[1] + `}") { matchStatus directChat { messagesCount } } self { chatCount chatsWithUnviewedMessagesCount } }`,
				Want: `{"user":{"matchStatus":"CONFIRMED","directChat":{"messagesCount":1}},"self":{"chatCount":3,"chatsWithUnviewedMessagesCount":3}}`})
		}
	})
}
