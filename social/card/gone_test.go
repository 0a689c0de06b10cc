package card_test

import (
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// chats 5.2#10: all cards of a removed user are deleted, and no more of them are pushed.
// Remaining subscriptions of that user are notified.
func TestCardsOfAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Like("ben", "p1").And(reachable("ana")...).ListenToCards("ana").Gone("ana")
	Test(t, given, func(w *World) {
		for _, id := range []string{"ADD_PROFILE_PHOTO", "POST_LIKES:p1"} {
			if w.Get(store.Main.Name, "card/"+string(w.ID("ana"))+":"+id, "-") != nil {
				w.T.Errorf("card %s is left", id)
			}
		}
		if heard := w.TakeHeard()["ana"]; len(heard) != 2 {
			w.T.Errorf("ana hears %s, want of two cards", heard)
		}
		if token, err := store.Open(w.DB).Devices.APNSToken(t.Context(), w.ID("ana")); token != "" || err != nil {
			w.T.Errorf("device %q, %v is left", token, err)
		}
		for _, problem := range w.Problems() {
			if !strings.Contains(problem, "postCount") { // the posts are the business of others
				w.T.Error(problem)
			}
		}
	})
}

// chats 5.2#10: what is still to be told about comments on a post of a removed user, which is yet to
// be removed, makes no card.
func TestNoCardForAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Comment("ben", "p1", "c1").
		Does("ana", `mutation { deleteCard(cardId: "{ana}:COMMENT_ACTIVITY:p1") { cardId } }`)
	Test(t, given, func(w *World) {
		post := w.Get(store.Main.Name, "post/p1", "-")
		w.Does("ana", `mutation { deleteUser { userId } }`)
		w.Settle()
		w.Put(store.Main.Name, post)
		w.Deliver(social.CommentDeleted{CommentID: "c2", PostID: "p1", Owner: w.ID("ana"), Author: w.ID("ben"), Unviewed: true})
		w.Does("ben", `mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "hi") { postId } }`)
		w.Settle() // delivers the event again if that has failed, and fails if it fails again
		if w.Get(store.Main.Name, "card/"+string(w.ID("ana"))+":COMMENT_ACTIVITY:p1", "-") != nil {
			w.T.Error("there is a card")
		}
	})
}

// users D10: a card left by a former profile does not change the counters of the new one.
func TestCardOfAFormerProfile(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		former := w.Get(store.Main.Name, "card/"+string(w.ID("ana"))+":ADD_PROFILE_PHOTO", "-")
		w.Must("ana", `mutation { resetUser(newUsername: "anew") { userId } }`)
		w.Settle()
		id := string(w.ID("ana")) + ":POST_LIKES:p1"
		former["partitionKey"], former["cardId"] = "card/"+id, id
		w.Put(store.Main.Name, former)
		w.Must("ana", `mutation { deleteCard(cardId: "`+id+`") { cardId } }`)
		w.Settle()
		if w.Get(store.Main.Name, "card/"+id, "-") != nil || w.Counters()["ana.cardCount"] != 1 {
			t.Errorf("the new profile has %d cards", w.Counters()["ana.cardCount"])
		}
		for _, problem := range w.Problems() {
			t.Error(problem)
		}
	})
}

// users D10: a card that was decided on for a profile does not reach the next one, whenever its
// user is reset.
func TestCardsOfADecisionAboutAFormerProfile(t *testing.T) {
	given := Users("ana!private", "ben", "cleo").DirectChat("ben", "ana", "c1", "m1").ViewChat("ana", "c1")
	for by, mutation := range map[string]string{
		"ana":  `grantUserSubscriptionBonus { userId }`,
		"ben":  `addChatMessage(chatId: "c1", messageId: "m2", text: "hi") { messageId }`,
		"cleo": `followUser(userId: "{ana}") { userId }`,
	} {
		for n, met := 1, true; met; n++ {
			Test(t, given, func(w *World) {
				other := w.Beside("other")
				disarm := w.Client.Arm(faultdb.Before("", n, func() { other.Must("ana", `mutation { resetUser(newUsername: "anew") { userId } }`) }))
				w.Ask(by, "mutation { "+mutation+" }")
				met = disarm()
				w.Settle()
				other.Settle()
				if !met {
					return
				}
				self := w.Must("ana", `{ self { subscriptionLevel chatsWithUnviewedMessagesCount followersCount(followStatus: REQUESTED) cards { items { cardId } } } }`)
				for card, without := range map[string]string{
					"USER_SUBSCRIPTION_LEVEL": `"BASIC"`, "CHAT_ACTIVITY": `"chatsWithUnviewedMessagesCount":0`, "REQUESTED_FOLLOWERS": `"followersCount":0`,
				} {
					if got := string(self.Data); strings.Contains(got, card) && strings.Contains(got, without) {
						t.Errorf("%s, reset before call %d: %s", mutation, n, got)
					}
				}
			})
		}
	}
}

// chats 5.2#8-9: there is no card about a post or a comment that is gone, whenever another process
// deletes it.
func TestCardsOfWhatIsDeletedMeanwhile(t *testing.T) {
	given := Users("ana", "ben", "cem", "vi1", "vi2", "vi3", "vi4", "vi5", "vi6").Post("ana", "p1")
	for _, name := range []string{"vi1", "vi2", "vi3", "vi4", "vi5"} {
		given = given.ViewPost(name, "p1")
	}
	const post, comment = `deletePost(postId: "p1") { postId }`, `deleteComment(commentId: "k1") { commentId }`
	for _, c := range []struct{ by, mutation, end string }{
		{"ana", `editPost(postId: "p1", text: "hey @ben") { postId }`, post},
		{"cem", `addComment(commentId: "k1", postId: "p1", text: "hey @ben") { commentId }`, post},
		{"cem", `addComment(commentId: "k1", postId: "p1", text: "hey @ben") { commentId }`, comment},
		{"cem", `onymouslyLikePost(postId: "p1") { postId }`, post},
		{"vi6", `reportPostViews(postIds: ["p1"])`, post},
	} {
		for n, met := 1, true; met; n++ {
			Test(t, given, func(w *World) {
				other := w.Beside("other")
				disarm := w.Client.Arm(faultdb.Before("", n, func() { w.Ask("ana", "mutation { "+c.end+" }") }))
				other.Ask(c.by, "mutation { "+c.mutation+" }")
				met = disarm()
				w.Settle()
				other.Settle()
				for about, rows := range map[string][]string{
					"post/p1":    {"card/{ben}:POST_MENTION:p1", "card/{ana}:POST_LIKES:p1", "card/{ana}:POST_VIEWS:p1", "card/{ben}:COMMENT_MENTION:k1"},
					"comment/k1": {"card/{ben}:COMMENT_MENTION:k1"},
				} {
					for _, row := range rows {
						if w.Get(store.Main.Name, about, "-") == nil && w.Get(store.Main.Name, row, "-") != nil {
							t.Errorf("%s, %s before call %d: there is %s", c.mutation, c.end, n, row)
						}
					}
				}
			})
		}
	}
}

// users D10: a card left by a former profile neither replaces that of the new one nor causes it
// to be deleted.
func TestCardInPlaceOfAFormerOne(t *testing.T) {
	Test(t, Users("ana!private", "ben", "cleo").Follow("ben", "ana"), func(w *World) {
		removed := Renew(w, "ana")
		w.Must("cleo", `mutation { followUser(userId: "{ana}") { followedStatus } }`)
		w.Deliver(removed)
		Tells(w, "ana", `{ self { cardCount cards { items { title } } } }`, `{"self":{"cardCount":1,"cards":{"items":[{"title":"You have 1 pending follow request"}]}}}`)
		Sound(w)
	})
}

// users D10: the device is that of the new profile, once it has registered one.
func TestDeviceOfANewProfile(t *testing.T) {
	token := func(w *World) any { return w.Get("ops", "device/{ana}", "apns")["token"] }
	set := `mutation { setUserAPNSToken(token: "%s") { userId } }`
	Test(t, Users("ana").Does("ana", set, "old"), func(w *World) {
		removed := Renew(w, "ana")
		w.Must("ana", `mutation { setUserAPNSToken(token: "new") { userId } }`)
		w.Deliver(removed)
		if token(w) != "new" {
			t.Errorf("the device is %v", token(w))
		}
	})
	Run(t, []Scenario{
		{Name: "removed meanwhile", Given: Users("ana"), Meanwhile: Given{}.Gone("ana"), As: "ana", Query: `mutation { setUserAPNSToken(token: "late") { userId } }`,
			Error: "ClientError: User `{ana}` does not exist", Then: []Scenario{{As: "ana", Query: `{ user(userId: "{ana}") { userId } }`, Want: `{"user":null}`}}},
		{
			Name:      "disabled meanwhile",
			Given:     Users("ana"),
			Meanwhile: Given{}.Does("ana", `mutation { disableUser { userId } }`),
			As:        "ana",
			Query:     `mutation { setUserAPNSToken(token: "late") { userId } }`,
			Error:     "ClientError: User `{ana}` is not ACTIVE",
		},
	})
}
