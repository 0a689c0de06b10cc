package flag_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
	"stoa/store"
)

const flagP1 = `mutation { flagPost(postId: "p1") { postId flagStatus postStatus } }`

// watched returns a post of ana that n users have viewed.
func watched(n int) Given { return Viewed(n, "ana", "ben") }

// posts 24.27: who may flag a post, and when flags archive it.
func TestFlagPost(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	const answer = `{"flagPost":{"postId":"p1","flagStatus":"FLAGGED","postStatus":"COMPLETED"}}`
	Run(t, []Scenario{
		{Name: "is counted and remembered", Given: given, As: "ben", Query: flagP1, Want: answer,
			Counts: Counts{"p1.flagCount": 1, "ana.postForcedArchivingCount": 0}, Events: Events{}, Hears: Hears{},
			Then: []Scenario{
				{As: "ben", Query: `{ post(postId: "p1") { flagStatus postStatus } }`, Want: `{"post":{"flagStatus":"FLAGGED","postStatus":"COMPLETED"}}`},
				{As: "ana", Query: `{ post(postId: "p1") { flagStatus } }`, Want: `{"post":{"flagStatus":"NOT_FLAGGED"}}`},
				{As: "ben", Query: flagP1, Error: "ClientError: Post `p1` has already been flagged by user `{ben}`"},
			}},
		{Name: "there is none", Given: given, As: "ben", Query: `mutation { flagPost(postId: "none") { postId } }`, Error: "ClientError: Post `none` does not exist"},
		{Name: "a private user's", Given: Users("ana!private", "ben").Post("ana", "p1"), As: "ben", Query: flagP1, Error: "ClientError: User does not have access to post `p1`"},
		{
			Name:  "a private user's who was asked",
			Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana"),
			As:    "ben",
			Query: flagP1,
			Error: "ClientError: User does not have access to post `p1`",
		},
		{
			Name:  "a private user's who is followed",
			Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana").Accept("ana", "ben"),
			As:    "ben",
			Query: flagP1,
			Want:  answer,
		},
		{
			Name:  "one's own while private",
			Given: Users("ana!private", "ben").Post("ana", "p1"),
			As:    "ana",
			Query: flagP1,
			Error: "ClientError: User does not have access to post `p1`",
		},
		{Name: "one's own", Given: given, As: "ana", Query: flagP1, Error: "ClientError: User cant flag their own post `p1`"},
		{
			Name:  "of whoever blocks the caller",
			Given: given.Block("ana", "ben"),
			As:    "ben",
			Query: flagP1,
			Error: "ClientError: User has been blocked by owner of post `p1`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "of a private user who blocks the caller",
			Given: Users("ana!private", "ben").Post("ana", "p1").Block("ana", "ben"),
			As:    "ben",
			Query: flagP1,
			Error: "ClientError: User does not have access to post `p1`",
		},
		{
			Name:  "of whom the caller blocks",
			Given: given.Block("ben", "ana"),
			As:    "ben",
			Query: flagP1,
			Error: "ClientError: User has blocked owner of post `p1`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "flagged before a block",
			Given: given.FlagPost("ben", "p1").Block("ben", "ana"),
			As:    "ben",
			Query: flagP1,
			Error: "ClientError: User has blocked owner of post `p1`",
		},
		{Name: "by a disabled user", Given: given.Status("ben", "DISABLED"), As: "ben", Query: flagP1, Error: "ClientError: User `{ben}` is not ACTIVE"},
		{Name: "by an anonymous user", Given: given.Status("ben", "ANONYMOUS"), As: "ben", Query: flagP1, Error: "ClientError: User `{ben}` is not ACTIVE"},
		{Name: "in any status", Given: given.Archive("ana", "p1"), As: "ben", Query: flagP1, Want: `{"flagPost":null}`, Counts: Counts{"p1.flagCount": 1}},
		{
			Name:   "of an earlier post with the id",
			Given:  given.FlagPost("ben", "p1").Does("ana", `mutation { deletePost(postId: "p1") { postId } }`).Post("ana", "p1"),
			As:     "ben",
			Query:  flagP1,
			Want:   answer,
			Counts: Counts{"p1.flagCount": 1},
		},
	})
}

// Moderation archives posts: at once for flags by some users, otherwise when many viewers
// have flagged. users B11
func TestFlagsArchive(t *testing.T) {
	archived := Counts{"ana.postCount": -1, "ana.postArchivedCount": 1, "ana.postForcedArchivingCount": 1, "p1.flagCount": 1}
	stays := Counts{"p1.flagCount": 1, "ana.postCount": 0, "ana.postForcedArchivingCount": 0}
	gone := []Scenario{
		{As: "viewer0", Query: `{ post(postId: "p1") { postId } }`, Want: `{"post":null}`},
		{As: "ana", Query: `{ post(postId: "p1") { postStatus } }`, Want: `{"post":{"postStatus":"ARCHIVED"}}`},
	}
	const answer = `{"flagPost":{"postId":"p1","flagStatus":"FLAGGED","postStatus":"COMPLETED"}}`
	RunStaffed(t, []Scenario{
		{Name: "by a moderator", Given: watched(1).And(Users("mod")...), As: "mod", Query: flagP1, Want: answer, Counts: archived, Events: Events{"post.moved": 1}, Then: gone},
		{Name: "by an operator", Given: watched(1).And(Users("ozzy")...), As: "ozzy", Query: flagP1, Want: answer, Counts: archived, Then: gone},
		{Name: "not by names that once had power", Given: watched(1).And(Users("real", "ian").FlagPost("ian", "p1")...), As: "real", Query: flagP1, Want: answer, Counts: stays},
		{Name: "not by a name of the staff", Given: watched(1).And(Given{}.Identity("eve").Does("eve", `mutation { createCognitoOnlyUser(username: "mod") { userId } }`)...),
			As: "eve", Query: flagP1, Want: answer, Counts: stays},
		{Name: "five viewers are no crowd", Given: watched(5), As: "ben", Query: flagP1, Want: answer, Counts: stays},
		{Name: "one of six viewers", Given: watched(6), As: "ben", Query: flagP1, Want: answer, Counts: archived, Then: gone},
		{Name: "a tenth is not more than a tenth", Given: watched(10), As: "ben", Query: flagP1, Want: answer, Counts: stays,
			Then: []Scenario{{As: "viewer1", Query: flagP1, Want: answer, Counts: archived}}},
		{Name: "the sixth viewer comes meanwhile", Given: watched(5).And(Users("zoe")...), As: "ben", Query: flagP1, Want: answer, Meanwhile: Given{}.ViewPost("zoe", "p1"),
			Counts: Counts{"ana.postForcedArchivingCount": 1, "p1.flagCount": 1}},
		{Name: "one that is archived already", Given: watched(6).Archive("ana", "p1"), As: "ben", Query: flagP1, Counts: stays},
		{
			Name:   "again after it was restored",
			Given:  watched(6).FlagPost("viewer0", "p1").Does("ana", `mutation { restoreArchivedPost(postId: "p1") { postId } }`),
			As:     "ben",
			Query:  flagP1,
			Want:   answer,
			Counts: archived,
			Then:   gone,
		},
		{Name: "likes go with it", Given: watched(6).Like("viewer0", "p1"), As: "ben", Query: flagP1, Want: answer, Then: []Scenario{
			{
				As:    "viewer0",
				Query: `{ self { onymouslyLikedPosts { items { postId } } feed { items { postId } } } }`,
				Want:  `{"self":{"onymouslyLikedPosts":{"items":[]},"feed":{"items":[]}}}`,
			},
		}},
	})
}

const flagC1 = `mutation { flagComment(commentId: "c1") { commentId text flagStatus } }`

// chats 0.6#2,4-6, 1.5#4 and 1.6#1-9: who may flag a comment, and when flags delete it.
func TestFlagComment(t *testing.T) {
	// cem flags a comment of ben on a post of ana.
	given := Users("ana", "ben", "cem").Post("ana", "p1").Comment("ben", "p1", "c1")
	const answer = `{"flagComment":{"commentId":"c1","text":"text of c1","flagStatus":"FLAGGED"}}`
	const none = `{ post(postId: "p1") { commentsCount comments { items { commentId flagStatus } } } }`
	forced := Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": -1, "ben.commentCount": -1, "ben.commentDeletedCount": 1, "ben.commentForcedDeletionCount": 1}
	stays := Counts{"c1.flagCount": 1, "ben.commentForcedDeletionCount": 0, "p1.commentCount": 0}
	private := Users("ana!private", "ben", "cem").Follow("ben", "ana").Accept("ana", "ben").Post("ana", "p1").Comment("ben", "p1", "c1")
	RunStaffed(t, []Scenario{
		{Name: "is counted and remembered", Given: given, As: "cem", Query: flagC1, Counts: stays, Events: Events{}, Hears: Hears{},
			Then: []Scenario{
				{As: "cem", Query: none, Want: `{"post":{"commentsCount":1,"comments":{"items":[{"commentId":"c1","flagStatus":"FLAGGED"}]}}}`},
				{As: "ana", Query: none, Want: `{"post":{"commentsCount":1,"comments":{"items":[{"commentId":"c1","flagStatus":"NOT_FLAGGED"}]}}}`},
				{As: "cem", Query: flagC1, Error: "ClientError: Comment `c1` has already been flagged by user `{cem}`"},
				{
					As:     "ben",
					Query:  `mutation { deleteComment(commentId: "c1") { flagStatus } }`,
					Want:   `{"deleteComment":{"flagStatus":"NOT_FLAGGED"}}`,
					Counts: Counts{"ben.commentForcedDeletionCount": 0},
				},
			}},
		{Name: "there is none", Given: given, As: "cem", Query: `mutation { flagComment(commentId: "none") { text } }`, Error: "ClientError: Comment `none` does not exist"},
		{Name: "on a private user's post", Given: private, As: "cem", Query: flagC1, Error: "ClientError: User does not have access to comment `c1`"},
		{Name: "on a private user's post, by a follower", Given: private.Follow("cem", "ana").Accept("ana", "cem"), As: "cem", Query: flagC1, Counts: stays},
		{
			Name:  "on a post of whoever blocks the caller",
			Given: given.Block("ana", "cem"),
			As:    "cem",
			Query: flagC1,
			Error: "ClientError: User does not have access to comment `c1`",
		},
		{Name: "on an archived post", Given: given.Archive("ana", "p1"), As: "cem", Query: flagC1, Error: "ClientError: User does not have access to comment `c1`"},
		{Name: "on an archived post, by its author", Given: given.Archive("ana", "p1"), As: "ben", Query: flagC1, Error: "ClientError: User does not have access to comment `c1`"},
		{Name: "on an archived post, by its owner", Given: given.Archive("ana", "p1"), As: "ana", Query: flagC1, Want: answer, Counts: forced},
		{Name: "on an archived post, of whoever blocks the caller", Given: given.Block("ben", "cem").Archive("ana", "p1"), As: "cem", Query: flagC1,
			Error: "ClientError: User does not have access to comment `c1`"},
		{Name: "on a post of whom the caller blocks", Given: given.Block("cem", "ana"), As: "cem", Query: flagC1, Counts: stays},
		{Name: "on a private post of whoever blocks the caller", Given: private.Follow("cem", "ana").Accept("ana", "cem").Block("ana", "cem"), As: "cem", Query: flagC1,
			Error: "ClientError: User does not have access to comment `c1`"},
		{
			Name:  "of whoever blocks the caller, on a post of theirs",
			Given: Users("ben", "cem").Post("ben", "p1").Comment("ben", "p1", "c1").Block("ben", "cem"),
			As:    "cem",
			Query: flagC1,
			Error: "ClientError: User has been blocked by owner of comment `c1`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "of whoever blocks the caller, on an archived post of theirs",
			Given: Users("ben", "cem").Post("ben", "p1").Comment("ben", "p1", "c1").Block("ben", "cem").Archive("ben", "p1"),
			As:    "cem",
			Query: flagC1,
			Error: "ClientError: User does not have access to comment `c1`",
		},
		{Name: "of a private user on a public post", Given: given.Details("ben", `privacyStatus: PRIVATE`), As: "cem", Query: flagC1, Counts: stays},
		{
			Name:  "of whoever blocks the caller",
			Given: given.Block("ben", "cem"),
			As:    "cem",
			Query: flagC1,
			Error: "ClientError: User has been blocked by owner of comment `c1`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "of whom the caller blocks",
			Given: given.Block("cem", "ben"),
			As:    "cem",
			Query: flagC1,
			Error: "ClientError: User has blocked owner of comment `c1`",
			Code:  "FORBIDDEN",
		},
		{Name: "one's own", Given: given, As: "ben", Query: flagC1, Error: "ClientError: User cant flag their own comment `c1`"},
		{
			Name:   "the post's owner decides",
			Given:  given,
			As:     "ana",
			Query:  `mutation { flagComment(commentId: "c1") { commentId text flagStatus viewedStatus commentedBy { username } } }`,
			Want:   `{"flagComment":{"commentId":"c1","text":"text of c1","flagStatus":"FLAGGED","viewedStatus":"NOT_VIEWED","commentedBy":{"username":"ben"}}}`,
			Counts: forced,
			Events: Events{"comment.deleted": 1},
			Then: []Scenario{{As: "ana", Query: none, Want: `{"post":{"commentsCount":0,"comments":{"items":[]}}}`},
				{As: "ana", Query: flagC1, Error: "ClientError: Comment `c1` does not exist"}},
		},
		{Name: "the post's owner decides while private", Given: private, As: "ana", Query: flagC1, Want: answer, Counts: forced},
		{
			Name:   "what the owner viewed does not count as unviewed",
			Given:  given.ViewPost("ana", "p1"),
			As:     "ana",
			Query:  flagC1,
			Counts: Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": 0, "ben.commentCount": -1},
		},
		{Name: "a moderator decides", Given: given.And(Users("mod")...), As: "mod", Query: flagC1, Want: answer, Counts: forced},
		{Name: "an operator decides", Given: given.And(Users("ozzy")...), As: "ozzy", Query: flagC1, Want: answer, Counts: forced},
		{Name: "a username decides nothing", Given: given.And(Users("real")...), As: "real", Query: flagC1, Counts: stays},
		{Name: "five viewers are no crowd", Given: watched(5).Comment("ben", "p1", "c1"), As: "viewer0", Query: flagC1, Counts: stays},
		{Name: "one of six viewers", Given: watched(6).Comment("ben", "p1", "c1"), As: "viewer0", Query: flagC1, Want: answer, Counts: forced},
		{Name: "flags of others go with it", Given: given.FlagComment("cem", "c1"), As: "ana", Query: flagC1, Want: answer, Counts: forced},
	})
}

// chats 0.5, 0.6#5, 3.8, 3.10, 3.10#1-3: members flag a chat once each, and enough flags
// delete it.
func TestFlagChat(t *testing.T) {
	const flag = `mutation { flagChat(chatId: "c1") { chatId flagStatus } }`
	const answer = `{"flagChat":{"chatId":"c1","flagStatus":"FLAGGED"}}`
	direct := Users("ana", "ben", "cem").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{Name: "one flag ends a small chat", Given: direct, As: "ben", Query: flag, Want: answer,
			Counts: Counts{
				"ana.chatCount":                       -1,
				"ben.chatCount":                       -1,
				"ben.chatsWithUnviewedMessagesCount":  -1,
				"ana.chatMessagesDeletionCount":       1,
				"ana.chatMessagesForcedDeletionCount": 0,
			},
			Then: []Scenario{{As: "ana", Query: `{ chat(chatId: "c1") { chatId } self { chats { items { chatId } } } user(userId: "{ben}") { directChat { chatId } } }`,
				Want: `{"chat":null,"self":{"chats":{"items":[]}},"user":{"directChat":null}}`},
				{As: "ben", Query: flag, Error: "ClientError: Chat `c1` does not exist"}}},
		{Name: "the answer shows what was there", Given: direct.Say("ben", "c1", "m2").Say("ana", "c1", "m3").ViewChat("ben", "c1").Say("ana", "c1", "m4"), As: "ben",
			Query: `mutation { flagChat(chatId: "c1") { usersCount messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED) users(excludeUserId: "{ben}") { items { username } }
				messages(limit: 3) { items { messageId viewedStatus flagStatus author { username } chat { chatId flagStatus } } } ` +
				`newest: messages(limit: 1, reverse: true) { items { messageId viewedStatus } nextToken } } }`,
			Want: `{"flagChat":{"usersCount":2,"messagesCount":4,"unviewed":1,"users":{"items":[{"username":"ana"}]},"messages":{"items":[
				{"messageId":"m1","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","author":{"username":"ana"},"chat":{"chatId":"c1","flagStatus":"FLAGGED"}},
				{"messageId":"m2","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","author":{"username":"ben"},"chat":{"chatId":"c1","flagStatus":"FLAGGED"}},
				{"messageId":"m3","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","author":{"username":"ana"},"chat":{"chatId":"c1","flagStatus":"FLAGGED"}}]},
				"newest":{"items":[{"messageId":"m4","viewedStatus":"NOT_VIEWED"}],"nextToken":null}}}`},
		{Name: "there is none", Given: direct, As: "ben", Query: `mutation { flagChat(chatId: "none") { chatId } }`, Error: "ClientError: Chat `none` does not exist"},
		{Name: "of others", Given: direct, As: "cem", Query: flag, Error: "ClientError: User is not part of chat `c1`"},
		{
			Name:   "a tenth of a group is too few",
			Given:  group(10),
			As:     "ana",
			Query:  `mutation { flagChat(chatId: "g1") { flagStatus } }`,
			Want:   `{"flagChat":{"flagStatus":"FLAGGED"}}`,
			Counts: Counts{"g1.flagCount": 1, "ana.chatCount": 0},
			Events: Events{},
			Then: []Scenario{
				{As: "ana", Query: `{ chat(chatId: "g1") { flagStatus } }`, Want: `{"chat":{"flagStatus":"FLAGGED"}}`},
				{As: "member1", Query: `{ chat(chatId: "g1") { flagStatus } }`, Want: `{"chat":{"flagStatus":"NOT_FLAGGED"}}`},
				{As: "ana", Query: `mutation { flagChat(chatId: "g1") { flagStatus } }`, Error: "ClientError: Chat `g1` has already been flagged by user `{ana}`"},
				{As: "member1", Query: `mutation { flagChat(chatId: "g1") { flagStatus } }`, Want: `{"flagChat":{"flagStatus":"FLAGGED"}}`},
				{As: "ana", Query: `{ chat(chatId: "g1") { chatId } self { chatCount } }`, Want: `{"chat":null,"self":{"chatCount":0}}`},
			},
		},
	})
}

// group returns a group of ana and others, with the message m1 by ana.
func group(members int) Given {
	names := []string{"ana"}
	var added []string
	for i := range members - 1 {
		names = append(names, fmt.Sprint("member", i))
		added = append(added, fmt.Sprintf(`"{member%d}"`, i))
	}
	return Users(names...).Does("ana", `mutation { createGroupChat(chatId: "g1", userIds: [%s], messageId: "m1", messageText: "hello") { chatId } }`, strings.Join(added, ","))
}

// chats 0.6#5, 4.6#1,3-7, 4.7 and realtime 6#8: members flag a message once each, and
// enough flags delete it silently.
func TestFlagChatMessage(t *testing.T) {
	const flag = `mutation { flagChatMessage(messageId: "m1") { messageId text flagStatus } }`
	const answer = `{"flagChatMessage":{"messageId":"m1","text":"text of m1","flagStatus":"FLAGGED"}}`
	direct := Users("ana", "ben", "cem").DirectChat("ana", "ben", "c1", "m1")
	Run(t, []Scenario{
		{Name: "one flag removes a message from a small chat", Given: direct.ListenToChats("ana", "ben"), As: "ben", Query: flag, Want: answer,
			Counts: Counts{
				"c1.messagesCount":                    -1,
				"c1 member/ben.messagesUnviewedCount": -1,
				"ben.chatsWithUnviewedMessagesCount":  -1,
				"ana.chatMessagesDeletionCount":       1,
				"ana.chatMessagesForcedDeletionCount": 1,
			},
			Hears: Hears{},
			Then: []Scenario{
				{As: "ana", Query: `{ chat(chatId: "c1") { messagesCount messages { items { messageId } } } }`, Want: `{"chat":{"messagesCount":0,"messages":{"items":[]}}}`},
				{As: "ben", Query: flag, Error: "ClientError: ChatMessage `m1` does not exist"},
			}},
		{
			Name:  "there is none",
			Given: direct,
			As:    "ben",
			Query: `mutation { flagChatMessage(messageId: "no/ne") { text } }`,
			Error: "ClientError: ChatMessage `no/ne` does not exist",
		},
		{Name: "in a chat of others", Given: direct, As: "cem", Query: flag, Error: "ClientError: User is not part of chat of message `m1`"},
		{Name: "one's own", Given: direct, As: "ana", Query: flag, Error: "ClientError: User cant flag their own chatMessage `m1`"},
		{
			Name:  "of whoever blocks the caller",
			Given: group(3).Block("ana", "member1"),
			As:    "member1",
			Query: flag,
			Error: "ClientError: User has been blocked by owner of chatMessage `m1`",
			Code:  "FORBIDDEN",
		},
		{
			Name:  "of whom the caller blocks",
			Given: group(3).Block("member1", "ana"),
			As:    "member1",
			Query: flag,
			Error: "ClientError: User has blocked owner of chatMessage `m1`",
			Code:  "FORBIDDEN",
		},
		{Name: "a tenth of a group is too few", Given: group(10), As: "member0", Query: flag, Want: `{"flagChatMessage":{"messageId":"m1","text":"hello","flagStatus":"FLAGGED"}}`,
			Counts: Counts{"m1.flagCount": 1, "g1.messagesCount": 0, "ana.chatMessagesForcedDeletionCount": 0}, Events: Events{},
			Then: []Scenario{
				{As: "member0", Query: flag, Error: "ClientError: ChatMessage `m1` has already been flagged by user `{member0}`"},
				{As: "member1", Query: flag, Want: `{"flagChatMessage":{"messageId":"m1","text":"hello","flagStatus":"FLAGGED"}}`,
					Counts: Counts{"g1.messagesCount": -1, "ana.chatMessagesDeletionCount": 1, "ana.chatMessagesForcedDeletionCount": 1}},
			}},
	})
}

// chats 4.7, 1.8, 0.5#4: one of six messages by a user is removed by force, which is more
// than a tenth; one of ten is not.
func TestForcedRemovalsDisableTheirAuthor(t *testing.T) {
	direct, post := Users("ana", "ben").DirectChat("ana", "ben", "c1", "m1"), Users("ana", "ben").Post("ben", "p1").Comment("ana", "p1", "c1")
	ten, tenOn := direct, post
	for i := range 9 {
		if id := fmt.Sprint("more", i); i < 5 {
			direct, post, ten, tenOn = direct.Say("ana", "c1", id), post.Comment("ana", "p1", id), ten.Say("ana", "c1", id), tenOn.Comment("ana", "p1", id)
		} else {
			ten, tenOn = ten.Say("ana", "c1", id), tenOn.Comment("ana", "p1", id)
		}
	}
	const flagMessage = `mutation { flagChatMessage(messageId: "m1") { messageId author { userStatus } } }`
	for _, c := range []struct {
		name, query, ban string
		given            Given
	}{
		{"one of six messages", flagMessage, "chatMessages", direct},
		{"one of ten messages", flagMessage, "", ten},
		{"one of six comments", flagC1, "comments", post},
		{"one of ten comments", flagC1, "", tenOn},
	} {
		t.Run(c.name, func(t *testing.T) {
			Test(t, c.given, func(w *World) {
				w.Must("ben", c.query)
				status, ban := "ACTIVE", w.Get(store.Main.Name, "user/{ana}", "banned")
				if c.ban != "" {
					status = "DISABLED"
				}
				w.Play(Scenario{As: "ana", Query: `{ self { userStatus } }`, Want: `{"self":{"userStatus":"` + status + `"}}`})
				if got, _ := ban["forcedBy"].(string); got != c.ban {
					w.T.Errorf("banned for %q, want %q", got, c.ban)
				}
			})
		})
	}
}

// System messages cannot be flagged, not even by non-members.
// chats 3.6#14 and 4.6#2
func TestSystemMessagesAreNotFlagged(t *testing.T) {
	Test(t, group(2).And(Users("zoe")...), func(w *World) {
		var system string
		for _, item := range w.Rows()[store.Main.Name] {
			if id, ok := item["messageId"].(string); ok && item["userId"] == nil {
				system = id
			}
		}
		for _, name := range []string{"ana", "zoe"} {
			a := w.Ask(name, fmt.Sprintf(`mutation { flagChatMessage(messageId: %q) { text } }`, system))
			if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Cannot flag system chat message" {
				w.T.Errorf("%s is answered %v", name, a.Errors)
			}
		}
	})
}

// Flags are removed with the flagged item, and with the user whose removal deletes it.
// chats 0.6#3 and 3.8
func TestFlagsGo(t *testing.T) {
	flags := func(w *World) (n int) {
		for _, item := range w.Rows()[store.Main.Name] {
			if sk, _ := item["sortKey"].(string); strings.HasPrefix(sk, "flag/") {
				n++
			}
		}
		return n
	}
	for name, c := range map[string]struct {
		given Given
		then  string
	}{
		"with a post": {Users("ana", "ben").Post("ana", "p1").FlagPost("ben", "p1"), `mutation { deletePost(postId: "p1") { postId } }`},
		"with a comment": {Users("ana", "ben").Post("ben", "p1").Comment("ana", "p1", "c1").And(Users("cem")...).FlagComment("cem", "c1"), `mutation { deleteComment(commentId: ` +
			`"c1") { text } }`},
		"with a comment's post": {Users("ana", "ben", "cem").Post("ana", "p1").Comment("ben", "p1", "c1").FlagComment("cem", "c1"),
			`mutation { deletePost(postId: "p1") { postId } }`},
		"with a message": {group(10).FlagMessage("member0", "m1"), `mutation { deleteChatMessage(messageId: "m1") { text } }`},
		"with a chat":    {group(20).FlagChat("member0", "g1").FlagMessage("member0", "m1").FlagChat("member1", "g1"), `mutation { flagChat(chatId: "g1") { chatId } }`},
	} {
		t.Run(name, func(t *testing.T) {
			Test(t, c.given, func(w *World) {
				if flags(w) == 0 {
					w.T.Fatal("there are no flags")
				}
				w.Must("ana", c.then)
				w.Settle()
				if n := flags(w); n > 0 {
					w.T.Errorf("%d flags are left", n)
				}
				for _, problem := range w.Problems() {
					w.T.Error(problem)
				}
			})
		})
	}
}

// users D4: no report of a user who has gone meanwhile is kept with the case of what they flagged.
func TestReportsOfUsersWhoGoMeanwhile(t *testing.T) {
	for n, met := 1, true; met; n++ {
		Test(t, Users("ana", "ben").Post("ana", "p1").FlagPost("ben", "p1"), func(w *World) {
			other := w.Beside("other")
			disarm := w.Client.Arm(faultdb.Before("", n, func() {
				other.Must("ben", `mutation { deleteUser { userId } }`)
				other.Settle()
			}))
			w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
			met = disarm()
			w.Settle()
			other.Settle()
			if !met {
				return
			}
			for _, row := range w.Rows()["desk"] {
				if sk, _ := row["sortKey"].(string); strings.HasPrefix(sk, "report/") {
					w.T.Errorf("before call %d: left %v", n, row)
				}
			}
		})
	}
}

// The flags of a removed user are removed, of every kind.
// chats 0.6#2-3
func TestFlagsOfAUserWhoIsGone(t *testing.T) {
	given := group(10).Post("ana", "p1").Post("ana", "p2").Comment("member1", "p1", "c1").
		FlagPost("member0", "p1").FlagPost("member1", "p1").FlagComment("member0", "c1").FlagMessage("member0", "m1")
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "member0", Query: `mutation { deleteUser { userId } }`,
			Counts: Counts{"p1.flagCount": -1, "c1.flagCount": -1, "m1.flagCount": -1}})
		w.Compare("", w.Must("member1", `{ post(postId: "p1") { flagStatus } }`).Data, `{"post":{"flagStatus":"FLAGGED"}}`)
	})
}
