package post_test

import (
	"testing"
	"time"

	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
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

// users D10, service E7: what a former profile has liked, viewed and flagged does not count for the new
// one, which can do all of it again.
func TestMarksOfAFormerProfile(t *testing.T) {
	const look = `{ post(postId: "p1") { likeStatus viewedStatus flagStatus comments { items { flagStatus viewedStatus } } } }`
	seen := func(like, flag string) string {
		return `{"post":{"likeStatus":"` + like + `","viewedStatus":"NOT_VIEWED","flagStatus":"` + flag + `",` +
			`"comments":{"items":[{"flagStatus":"` + flag + `","viewedStatus":"NOT_VIEWED"}]}}}`
	}
	given := Users("ana", "ben").Post("ben", "p1").Comment("ben", "p1", "c1").
		Like("ana", "p1").ViewPost("ana", "p1").FlagPost("ana", "p1").FlagComment("ana", "c1")
	Test(t, given, func(w *World) {
		removed := Renew(w, "ana")
		Tells(w, "ana", look, seen("NOT_LIKED", "NOT_FLAGGED"))
		Tells(w, "ana", `mutation { onymouslyLikePost(postId: "p1") { likeStatus viewedStatus flagStatus } }`,
			`{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","viewedStatus":"NOT_VIEWED","flagStatus":"NOT_FLAGGED"}}`)
		Tells(w, "ana", `mutation { flagPost(postId: "p1") { flagStatus postStatus likeStatus } }`,
			`{"flagPost":{"flagStatus":"FLAGGED","postStatus":"COMPLETED","likeStatus":"ONYMOUSLY_LIKED"}}`)
		Tells(w, "ana", `mutation { flagComment(commentId: "c1") { flagStatus } }`, `{"flagComment":{"flagStatus":"FLAGGED"}}`)
		w.Deliver(removed)
		Tells(w, "ana", look, seen("ONYMOUSLY_LIKED", "FLAGGED"))
		for _, flagged := range []string{"post/p1", "comment/c1"} {
			if n := w.Get(store.Main.Name, flagged, "-")["flagCount"]; n != 1.0 {
				t.Errorf("%s has %v flags, want 1", flagged, n)
			}
		}
		Sound(w)
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

// service E7: posts and albums of a former profile are missing to the new one, whatever cleanup is
// still to come.
func TestPostsAndAlbumsOfAFormerProfile(t *testing.T) {
	const noPost, noAlbum = "ClientError: Post `p1` does not exist", "ClientError: Album `a1` does not exist"
	given := Users("ana").Album("ana", "a1").Post("ana", "p1", `albumId: "a1"`)
	for query, want := range map[string]string{
		`editPost(postId: "p1", text: "x") { postId }`:                                         noPost,
		`editPostAlbum(postId: "p1") { postId }`:                                               noPost,
		`editPostAlbum(postId: "p1", albumId: "a2") { postId }`:                                noPost,
		`editPostAlbumOrder(postId: "p1") { postId }`:                                          noPost,
		`addPost(postId: "p3", postType: TEXT_ONLY, text: "x", albumId: "a1") { postId }`:      noAlbum,
		`editPostAlbum(postId: "p2", albumId: "a1") { postId }`:                                noAlbum,
		`editAlbum(albumId: "a1", name: "x") { albumId }`:                                      noAlbum,
		`deleteAlbum(albumId: "a1") { albumId }`:                                               noAlbum,
		`editPostAlbumOrder(postId: "p2", precedingPostId: "p1") { postId album { albumId } }`: "ClientError: Preceding post `p1` does not exist",
	} {
		Test(t, given, func(w *World) {
			removed := Renew(w, "ana")
			w.Do(Given{}.Album("ana", "a2").Post("ana", "p2", `albumId: "a2"`)...)
			Tells(w, "ana", "mutation { "+query+" }", want)
			w.Deliver(removed)
			Sound(w)
		})
	}
}

// posts 19: the jobs also delete what a removed profile has left, and go on with what others have.
func TestJobsDeleteWhatFormerProfilesLeft(t *testing.T) {
	given := Users("ana", "ben", "cleo").Album("ana", "a1").Album("ben", "a2").Album("cleo", "a3")
	for _, owner := range []string{"ana", "ben", "cleo"} {
		given = given.Post(owner, "p-"+owner, Lifetime("PT1H"))
	}
	Test(t, given, func(w *World) {
		removed := []social.UserRemoved{Renew(w, "ana"), Renew(w, "ben")}
		w.Advance(25 * time.Hour)
		w.RunJob("social.delete-expired-posts")
		w.RunJob("social.delete-empty-albums")
		w.Settle()
		for _, key := range []string{"post/p-ana", "post/p-ben", "post/p-cleo", "album/a1", "album/a2", "album/a3"} {
			if w.Get("main", key, "-") != nil {
				t.Errorf("%s is left", key)
			}
		}
		for _, e := range removed {
			w.Deliver(e)
		}
		Tells(w, "ana", `{ self { postCount albumCount } }`, `{"self":{"postCount":0,"albumCount":0}}`)
		Sound(w)
	})
}

// service E7: neither what a former profile followed nor what it viewed counts for the lists of the new
// one, and none of its stories are left for those who followed it.
func TestFeedsStoriesAndViewsOfAFormerProfile(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ana", "ben").Follow("ben", "ana").
		Post("ben", "p1", Lifetime("PT1H")).Post("ana", "p2", Lifetime("PT1H")).Post("cleo", "p3").ViewPost("ana", "p1").ViewPost("ana", "p3")
	const look = `{ self { feed { items { postId } } followedUsersWithStories { items { username } } } }`
	const none = `{"self":{"feed":{"items":[]},"followedUsersWithStories":{"items":[]}}}`
	Test(t, given, func(w *World) {
		removed := Renew(w, "ana")
		for range 2 {
			Tells(w, "ana", look, none)
			Tells(w, "ben", look, `{"self":{"feed":{"items":[{"postId":"p1"}]},"followedUsersWithStories":{"items":[]}}}`)
			for status, want := range map[string]string{"VIEWED": "", "NOT_VIEWED": `{"postId":"p1"}`} {
				Tells(w, "ana", `{ user(userId: "{ben}") { posts { items(viewedStatus: `+status+`) { postId } } } }`, `{"user":{"posts":{"items":[`+want+`]}}}`)
			}
			w.Deliver(removed)
		}
		Sound(w)
	})
	Test(t, given, func(w *World) {
		w.Deliver(Renew(w, "ana"))
		Tells(w, "ana", `mutation { followUser(userId: "{ben}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`)
		Tells(w, "ana", look, `{"self":{"feed":{"items":[{"postId":"p1"}]},"followedUsersWithStories":{"items":[{"username":"ben"}]}}}`)
		Sound(w)
	})
}
