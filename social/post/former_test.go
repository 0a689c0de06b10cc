package post_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// service E7: mentions of a former profile are no longer shown, in texts of others, too.
func TestMentionsOfAFormerProfile(t *testing.T) {
	const look = `{ post(postId: "p1") { textTaggedUsers { tag } comments { items { textTaggedUsers { tag } } } } ` +
		`chat(chatId: "g1") { messages { items { text authorUserId author { username } textTaggedUsers { tag } } } } }`
	given := Users("ana", "ben", "cleo").Post("ben", "p1", `text: "hi @ana"`).Comment("cleo", "p1", "c1", "and @ana").Group("ben", "ana", "g1", "m1").Say("ana", "g1", "m2").
		Does("ben", `mutation { addChatMessage(chatId: "g1", messageId: "m3", text: "@ana !") { messageId } }`).
		Does("ana", `mutation { resetUser(newUsername: "ana") { userId } }`)
	Test(t, given, func(w *World) {
		Tells(w, "ben", `{ post(postId: "p1") { textTaggedUsers { tag } comments { items { textTaggedUsers { tag } } } } }`,
			`{"post":{"textTaggedUsers":[],"comments":{"items":[{"textTaggedUsers":[]}]}}}`)
		w.Must("ben", `mutation { editPost(postId: "p1", text: "again @ana") { postId } }`)
		w.Must("ben", `mutation { editChatMessage(messageId: "m3", text: "@ana again") { messageId } }`)
		Tells(w, "ben", `{ post(postId: "p1") { textTaggedUsers { tag user { userId } } } }`, `{"post":{"textTaggedUsers":[{"tag":"@ana","user":{"userId":"{ana}"}}]}}`)
		w.Compare(
			"messages",
			w.Must("ben", `{ chat(chatId: "g1") { messages(reverse: true, limit: 3) { items { text authorUserId author { username } textTaggedUsers { tag } } } } }`).Data,
			w.People.Fill(`{"chat":{"messages":{"items":[
			{"text":"@ana left the group","authorUserId":null,"author":null,"textTaggedUsers":[]},
			{"text":"@ana again","authorUserId":"{ben}","author":{"username":"ben"},"textTaggedUsers":[{"tag":"@ana"}]},
			{"text":"text of m2","authorUserId":"{ana}","author":null,"textTaggedUsers":[]}]}}}`),
		)
	})
}

// Removing the posts of a former profile does not affect the new one.
func TestStepsOfOwnersRemovedMeanwhile(t *testing.T) {
	reset := Given{}.Does("ana", `mutation { resetUser(newUsername: "anew") { userId } }`)
	const look = `{ self { postCount albumCount posts { items { postId } } archived: posts(postStatus: ARCHIVED) { items { postId } } } }`
	given := Users("ana").Post("ana", "p1").Album("ana", "a1")
	none := []Scenario{{As: "ana", Query: look, Want: `{"self":{"postCount":0,"albumCount":0,"posts":{"items":[]},"archived":{"items":[]}}}`}}
	Run(t, []Scenario{
		{
			Name:      "archiving",
			Given:     given,
			Meanwhile: reset,
			As:        "ana",
			Query:     `mutation { archivePost(postId: "p1") { postId } }`,
			Error:     "ClientError: Post `p1` does not exist",
			Then:      none,
		},
		{
			Name:      "deleting",
			Given:     given,
			Meanwhile: reset,
			As:        "ana",
			Query:     `mutation { deletePost(postId: "p1") { postId } }`,
			Error:     "ClientError: Post `p1` does not exist",
			Then:      none,
		},
		{
			Name:      "deleting an album",
			Given:     given,
			Meanwhile: reset,
			As:        "ana",
			Query:     `mutation { deleteAlbum(albumId: "a1") { albumId } }`,
			Error:     "ClientError: Album `a1` does not exist",
			Then:      none,
		},
	})
}
