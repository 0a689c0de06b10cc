package app_test

import (
	"testing"
	"time"

	"stoa/social/socialtest"
)

// service E1: users who signed up on a process whose clock is ahead can do everything at once on
// another one, and others can do everything with them: nothing that is written about users
// is older than they are.
func TestUsersFromAClockThatIsAhead(t *testing.T) {
	for _, by := range []time.Duration{50 * time.Millisecond, 7 * time.Second} {
		t.Run(by.String(), func(t *testing.T) {
			socialtest.Test(t, socialtest.Users("ana", "cem"), func(w *socialtest.World) {
				w.Does("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "hello") { postId } }`)
				w.ID("ben")
				w.Ahead("ahead", by).Does("ben", `mutation { createCognitoOnlyUser(username: "ben") { userId } }`)
				for _, c := range []struct{ as, query, want string }{
					{"ana", `mutation { createDirectChat(chatId: "k1", userId: "{ben}", messageId: "n1", messageText: "hi") { chatId } }`, `{"createDirectChat":{"chatId":"k1"}}`},
					{"ana", `{ chat(chatId: "k1") { usersCount } }`, `{"chat":{"usersCount":2}}`},
					{"ben", `{ self { chatCount chats { items { chatId } } } }`, `{"self":{"chatCount":1,"chats":{"items":[{"chatId":"k1"}]}}}`},
					{"ben", `mutation { addChatMessage(chatId: "k1", messageId: "n2", text: "hi") { author { username } } }`, `{"addChatMessage":{"author":{"username":"ben"}}}`},
					{"ana", `mutation { createGroupChat(chatId: "k2", userIds: ["{ben}"], messageId: "n3", messageText: "@ben") { usersCount } }`, `{"createGroupChat":{"usersCount":2}}`},
					{"ana", `mutation { createGroupChat(chatId: "k3", userIds: [], messageId: "n4", messageText: "hi") { usersCount } }`, `{"createGroupChat":{"usersCount":1}}`},
					{"ana", `mutation { addToGroupChat(chatId: "k3", userIds: ["{ben}"]) { usersCount } }`, `{"addToGroupChat":{"usersCount":2}}`},
					{"ben", `mutation { addChatMessage(chatId: "k3", messageId: "n5", text: "hi") { author { username } } }`, `{"addChatMessage":{"author":{"username":"ben"}}}`},
					{"ben", `mutation { createGroupChat(chatId: "k4", userIds: ["{ana}"], messageId: "n6", messageText: "hi") { messages { items { authorUserId author { username } } } } }`,
						`{"createGroupChat":{"messages":{"items":[{"authorUserId":null,"author":null},{"authorUserId":null,"author":null},{"authorUserId":"{ben}","author":{"username":"ben"}}]}}}`},
					{"ben", `mutation { reportChatViews(chatIds: ["k1", "k2"]) }`, `{"reportChatViews":true}`},
					{"ben", `mutation { flagChatMessage(messageId: "n3") { messageId } }`, `{"flagChatMessage":{"messageId":"n3"}}`},
					{"ben", `mutation { addComment(commentId: "c1", postId: "p1", text: "well") { commentedBy { username } } }`, `{"addComment":{"commentedBy":{"username":"ben"}}}`},
					{"ana", `mutation { addComment(commentId: "c2", postId: "p1", text: "well") { commentId } }`, `{"addComment":{"commentId":"c2"}}`},
					{"cem", `{ post(postId: "p1") { comments { items { commentId commentedBy { username } } } } }`,
						`{"post":{"comments":{"items":[{"commentId":"c1","commentedBy":{"username":"ben"}},{"commentId":"c2","commentedBy":{"username":"ana"}}]}}}`},
					{"ben", `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`, `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`},
					{"ana", `{ post(postId: "p1") { onymouslyLikedBy { items { username } } } }`, `{"post":{"onymouslyLikedBy":{"items":[{"username":"ben"}]}}}`},
					{"ben", `mutation { reportPostViews(postIds: ["p1"]) }`, `{"reportPostViews":true}`},
					{"ben", `mutation { reportScreenViews(screens: ["home"]) }`, `{"reportScreenViews":true}`},
					{"ben", `mutation { flagPost(postId: "p1") { flagStatus } }`, `{"flagPost":{"flagStatus":"FLAGGED"}}`},
					{"ben", `mutation { addAlbum(albumId: "al1", name: "a") { ownedBy { username } } }`, `{"addAlbum":{"ownedBy":{"username":"ben"}}}`},
					{"ben", `mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "@ben") { postedBy { username } textTaggedUsers { tag } } }`,
						`{"addPost":{"postedBy":{"username":"ben"},"textTaggedUsers":[{"tag":"@ben"}]}}`},
					{"ana", `mutation { addComment(commentId: "c3", postId: "p2", text: "well") { commentId } }`, `{"addComment":{"commentId":"c3"}}`},
					{"ben", `{ self { cardCount } }`,
						`{"self":{"cardCount":4}}`},
					{"cem", `mutation { followUser(userId: "{ben}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`},
					{"ben", `mutation { followUser(userId: "{cem}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`},
					{"cem", `{ user(userId: "{ben}") { followedStatus followerStatus followerUsers { items { username } } } }`,
						`{"user":{"followedStatus":"FOLLOWING","followerStatus":"FOLLOWING","followerUsers":{"items":[{"username":"cem"}]}}}`},
					{"cem", `mutation { blockUser(userId: "{ben}") { blockedStatus } }`, `{"blockUser":{"blockedStatus":"BLOCKING"}}`},
					{"cem", `{ self { blockedUsers { items { username } } } }`, `{"self":{"blockedUsers":{"items":[{"username":"ben"}]}}}`},
				} {
					w.Settle()
					w.Advance(-time.Second) // time does not pass
					a := w.Ask(c.as, c.query)
					got := string(a.Data)
					if len(a.Errors) > 0 {
						got = a.Errors[0].Message
					}
					if got := w.People.Name(got); got != c.want {
						t.Errorf("%s: %s\nis answered %s\nwant        %s", c.as, c.query, got, c.want)
					}
				}
				w.Whole()
			})
		})
	}
}
