package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	. "stoa/social/socialtest"
)

// TestStoreCalls limits the store calls of operations. Exceeding a limit usually means that
// a read is now made once per item, or that a write is no longer one transaction. Effects
// of a mutation that are delivered before its response are counted separately: the calls of
// the receivers of its events, one after the other.
func TestStoreCalls(t *testing.T) {
	given := Users("ana", "ben", "cleo", "dan").Follow("ana", "ben").Follow("ana", "cleo")
	for i := range 12 {
		given = given.Post("ben", fmt.Sprint("b", i)).Post("cleo", fmt.Sprint("c", i))
	}
	given = given.Like("ana", "b1").Album("ben", "album").Album("ana", "anas")
	for i := range 12 {
		given = given.IntoAlbum("ben", fmt.Sprint("b", i), "album")
	}
	for i := range 22 {
		given = given.Comment([]string{"ana", "ben", "cleo"}[i%3], "b0", fmt.Sprint("comment", i))
	}
	for _, c := range []struct {
		name              string
		query             string
		calls, roundTrips int
		effects           int
	}{
		{"self with counters", `{ self { userId username fullName bio themeCode followersCount followedsCount postCount } }`, 1, 1, 0},
		{"feed page of 20", `{ self { feed(limit: 20) { items { postId text postedAt likeStatus viewedStatus flagStatus onymousLikeCount anonymousLikeCount commentsCount postedBy { ` +
			`userId username } } nextToken } } }`, 6, 4, 0},
		{"feed page with everything about its authors", `{ self { feed(limit: 20) { items { postId likeStatus viewedStatus flagStatus textTaggedUsers { tag } ` +
			`postedBy { userId username followedStatus followerStatus blockedStatus blockerStatus } } } } }`, 6, 4, 0},
		{"post with 20 comments", `{ post(postId: "b0") { postId text likeStatus commentsCount postedBy { userId username } ` +
			`comments(limit: 20) { items { commentId text commentedAt viewedStatus flagStatus commentedBy { userId username } } } } }`, 5, 5, 0},
		{"several users and posts", `{ a: user(userId: "{ben}") { username } b: user(userId: "{cleo}") { username } c: post(postId: "b1") { text } d: post(postId: "c1") { text } }`,
			3, 3, 0},
		{"albums with their posts", `{ user(userId: "{ben}") { albums { items { name postCount ownedBy { username followerStatus } posts { items { text album { name } } } } } } }`,
			8, 8, 0},
		{"post into an album", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello", albumId: "anas") { postId album { name postCount } } }`, 3, 3, 8},
		{"search for users", `{ searchUsers(searchToken: "be") { items { username followedStatus } } }`, 6, 6, 0},
		{"contacts", `{ findContacts(contacts: [{contactId: "b", emails: ["ben@example.com"]}, {contactId: "c", emails: ["cleo@example.com"]}]) { user { username } } }`, 4, 4, 5},
		{"likers", `{ self { posts { items { onymouslyLikedBy { items { username } } } } } }`, 4, 4, 0},
		{"text post", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello @ben and @cleo") { postId text textTaggedUsers { tag user { username } } ` +
			`postedBy { username } } }`, 4, 4, 10},
		{"comment", `mutation { addComment(commentId: "new", postId: "b0", text: "hello") { commentId commentedBy { username } } }`, 5, 5, 0},
		{"comment that mentions", `mutation { addComment(commentId: "new2", postId: "b0", text: "hello @cleo") { commentId textTaggedUsers { user { username } } } }`, 6, 6, 5},
		{"like", `mutation { onymouslyLikePost(postId: "b0") { postId likeStatus postedBy { username } } }`, 5, 5, 0},
		{"dislike", `mutation { dislikePost(postId: "b1") { postId likeStatus } }`, 4, 4, 1},
		{"a chat", `mutation { createDirectChat(userId: "{dan}", chatId: "c", messageId: "m", messageText: "hello") { chatId } }`, 4, 4, 6},
		{"matches", `{ self { matchedUsers(matchStatus: POTENTIAL) { items { username matchStatus } nextToken } } }`, 3, 3, 0},
		{"users with how they match", `{ a: user(userId: "{ben}") { matchStatus } b: user(userId: "{cleo}") { matchStatus followerStatus } }`, 1, 1, 0},
		{"a bonus", `mutation { grantUserSubscriptionBonus { subscriptionLevel } }`, 2, 2, 5},
		{"follow", `mutation { followUser(userId: "{dan}") { followedStatus followersCount } }`, 3, 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, given, func(w *World) {
				time.Sleep(5 * time.Second) // on the clock of the test: no post is hot anymore
				w.Play(Scenario{As: "ana", Query: c.query, Calls: Calls{Total: c.calls + c.effects, RoundTrips: c.roundTrips + c.effects}})
			})
		})
	}
}

// Opening a chat reads its members and a screen of messages with all their details.
func TestStoreCallsOfChats(t *testing.T) {
	given, others := Users("ana", "ben"), ""
	for i := range 20 {
		name := fmt.Sprintf("m%02d", i)
		given, others = given.Users(name), others+` "{`+name+`}"`
	}
	given = given.DirectChat("ana", "ben", "direct", "d0").
		Does("ana", `mutation { createGroupChat(chatId: "group", userIds: [%s], messageId: "g0", messageText: "hi @m01") { chatId } }`, others)
	for i := range 50 {
		given = given.Say(fmt.Sprintf("m%02d", i%20), "group", fmt.Sprint("gs", i)).Say([]string{"ana", "ben"}[i%2], "direct", fmt.Sprint("ds", i))
	}
	const open = `{ chat(chatId: %q) { chatId name flagStatus usersCount messagesCount(viewedStatus: NOT_VIEWED) users(limit: 20) { items { userId username ` +
		`followedStatus blockerStatus } }
		messages(limit: 50, reverse: true) { items { messageId text createdAt viewedStatus flagStatus textTaggedUsers { tag user { username } } author { username } ` +
		`chat { chatId } } nextToken } } }`
	for _, c := range []struct {
		name              string
		query             string
		calls, roundTrips int
	}{
		{"a group", fmt.Sprintf(open, "group"), 6, 6},
		{"a direct chat", fmt.Sprintf(open, "direct"), 7, 7},
		{"the list of chats", `{ self { chatCount chats(limit: 20) { items { chatId name lastMessageActivityAt messagesCount(viewedStatus: NOT_VIEWED) } } } }`, 4, 4},
		{"a message", `mutation { addChatMessage(chatId: "direct", messageId: "new", text: "x") { messageId author { username } } }`, 5, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, given, func(w *World) {
				w.Play(Scenario{As: "ana", Query: c.query, Calls: Calls{Total: c.calls, RoundTrips: c.roundTrips}})
			})
		})
	}
}
