package card_test

import (
	"strings"
	"testing"

	. "stoa/social/socialtest"
	"stoa/store"
)

// 5.2: all cards of a user who is gone go, and nobody is pushed to them any more. Who still
// listens as that user hears of it.
// chats 5.2#10
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

// D10: a card that a former profile has left lowers no counter of the new one.
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
