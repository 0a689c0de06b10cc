package card_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/push"
	"stoa/social/card"
	. "stoa/social/socialtest"
	"stoa/store"
)

// reachable registers devices for users.
func reachable(names ...string) Given {
	return Given{}.And(func(w *World) {
		for _, name := range names {
			w.Must(name, `mutation { setUserAPNSToken(token: "phone of `+name+`") { userId } }`)
		}
	})
}

// pushed returns the notifications sent to devices since the last call, in no particular
// order.
func pushed(w *World) string {
	var shown []string
	for _, p := range w.Pushes.Take() {
		shown = append(shown, fmt.Sprintf("%s: %s (%s) %s", p.To.Token, p.Message.Title, p.Message.Body, w.People.Name(p.Message.Action)))
	}
	slices.Sort(shown)
	return strings.Join(shown, "\n")
}

func wantPushed(w *World, want ...string) {
	w.T.Helper()
	if got := pushed(w); got != strings.Join(want, "\n") {
		w.T.Errorf("devices show\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// users C5.4: a card is pushed once, when it is due, which counts as a change of the card.
// chats 5.3#1,14, 5.4#1-3 and realtime 5#2
func TestPushDueCards(t *testing.T) {
	given := Users("ana", "ben", "cleo").DirectChat("ben", "ana", "c1", "m1").DirectChat("ben", "cleo", "c2", "m2").
		And(reachable("ana")...).ListenToCards("ana", "cleo")
	Test(t, given, func(w *World) {
		w.Advance(4 * time.Minute)
		w.Play(Scenario{Job: card.PushJob, Hears: Hears{}})
		wantPushed(w)
		w.Advance(2 * time.Minute)
		edited := func(name string) string {
			return `{"onCardNotification":{"type":"EDITED","card":{"cardId":"{` + name + `}:CHAT_ACTIVITY","title":"You have 1 chat with new messages"}}}`
		}
		// Cleo has no device, but her card is no longer due, either.
		w.Play(Scenario{Job: card.PushJob, Hears: Hears{"ana": {edited("ana")}, "cleo": {edited("cleo")}}})
		wantPushed(w, "phone of ana: You have 1 chat with new messages () https://app.example/chat/")
		w.Play(Scenario{Job: card.PushJob, Hears: Hears{}})
		wantPushed(w)
		for _, sk := range []string{"gsiK1PartitionKey", "gsiK1SortKey"} {
			if key, there := w.Get(store.Main.Name, "card/{ana}:CHAT_ACTIVITY", "-")[sk]; there {
				w.T.Errorf("%s is still %v", sk, key)
			}
		}
		// A new title does not make a card due again; a new card with the same name is.
		w.Do(Given{}.Users("dan").DirectChat("dan", "ana", "c3", "m3")...)
		w.Advance(time.Hour)
		w.RunJob(card.PushJob)
		wantPushed(w)
		w.Do(Given{}.ViewChat("ana", "c1").ViewChat("ana", "c3").Say("dan", "c3", "m4")...)
		w.Advance(5 * time.Minute)
		w.RunJob(card.PushJob)
		wantPushed(w, "phone of ana: You have 1 chat with new messages () https://app.example/chat/")
	})
}

// The push shows the present number of comments.
// chats 5.4#1
func TestPushOfComments(t *testing.T) {
	given := Users("ana", "ben").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1").And(reachable("ana")...).
		Comment("ben", "p1", "c1").Comment("ben", "p1", "c2").ListenToCards("ana")
	Test(t, given, func(w *World) {
		w.Advance(25 * time.Hour)
		w.Play(Scenario{Job: card.PushJob, Hears: Hears{"ana": {heard("EDITED", "COMMENT_ACTIVITY:p1", "You have 2 new comments")}}})
		wantPushed(w, "phone of ana: You have 2 new comments () https://app.example/user/{ana}/post/p1/comments")
	})
}

// users D2: nothing is pushed to disabled users, and their cards are no longer due.
func TestDisabledUsersAreNotPushedTo(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Like("ben", "p1").And(reachable("ana")...)
	Test(t, given.Does("ana", `mutation { disableUser { userId } }`), func(w *World) {
		w.Advance(25 * time.Hour)
		w.RunJob(card.PushJob)
		wantPushed(w)
		if key, there := w.Get(store.Main.Name, "card/{ana}:POST_LIKES:p1", "-")["gsiK1SortKey"]; there {
			w.T.Errorf("the card is still due at %v", key)
		}
	})
}

// users C5.4: there is one attempt, whether or not it succeeds. Tokens without a device are
// deleted.
// chats 5.4#3
func TestPushesThatFail(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Post("cleo", "p2").Like("ben", "p1").Like("ben", "p2").And(reachable("ana", "cleo")...)
	Test(t, given, func(w *World) {
		w.Pushes.Fail("phone of ana", errors.New("out of reach"))
		w.Pushes.Fail("phone of cleo", fmt.Errorf("unregistered: %w", push.ErrGone))
		w.Advance(25 * time.Hour)
		if err := w.Host.Jobs.RunNow(w.T.Context(), card.PushJob); err == nil || !strings.Contains(err.Error(), "1 of 2 pushes failed, the first: out of reach") {
			w.T.Errorf("the job ends with %v", err)
		}
		if n := len(w.Pushes.Take()); n != 2 {
			w.T.Errorf("%d attempts, want 2", n)
		}
		w.Settle()
		w.RunJob(card.PushJob)
		wantPushed(w)
		devices := store.Open(w.DB).Devices
		for name, want := range map[string]string{"ana": "phone of ana", "cleo": ""} {
			if token, err := devices.APNSToken(w.T.Context(), w.ID(name)); token != want || err != nil {
				w.T.Errorf("%s has device %q, %v", name, token, err)
			}
		}
	})
}

// All due cards are pushed, longest due first, however many there are.
// chats 5.4#2
func TestManyDueCards(t *testing.T) {
	given := Users("ana", "ben").And(reachable("ana")...)
	const posts = 120
	for i := range posts {
		id := fmt.Sprintf("p%03d", i)
		given = given.Post("ana", id).Like("ben", id)
	}
	Test(t, given, func(w *World) {
		w.Advance(25 * time.Hour)
		w.RunJob(card.PushJob)
		if n := len(w.Pushes.Take()); n != posts {
			w.T.Errorf("%d pushes, want %d", n, posts)
		}
	})
}
