package follow_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa"
)

func TestGoingPublicAnswersAllRequests(t *testing.T) {
	w := newWorld(t)
	ben := w.user(stoa.User{Username: "ben", Privacy: stoa.Private})
	const asking = 103 // more than a page
	for i := range asking {
		must[*stoa.SeenUser](t)(w.service.Request(t.Context(), w.user(stoa.User{Username: fmt.Sprintf("u%03d", i)}), ben.UserID))
	}
	follower, denied := w.user(stoa.User{Username: "follower"}), w.user(stoa.User{Username: "denied"})
	must[*stoa.SeenUser](t)(w.service.Request(t.Context(), follower, ben.UserID))
	must[*stoa.SeenUser](t)(w.service.Accept(t.Context(), ben, follower.UserID))
	must[*stoa.SeenUser](t)(w.service.Request(t.Context(), denied, ben.UserID))
	must[*stoa.SeenUser](t)(w.service.Deny(t.Context(), ben, denied.UserID))
	before := len(w.outbox())

	if err := w.service.OpenAll(t.Context(), ben.UserID); err != nil {
		t.Fatal(err)
	}
	w.wantCounts(ben.UserID, 0, 1, asking) // still private: nothing to do

	w.open(ben.UserID)
	for range 2 { // the event repeats what the mutation has done
		if err := w.service.UserOpened(t.Context(), stoa.Event{Kind: stoa.UserOpened, UserID: ben.UserID}); err != nil {
			t.Fatal(err)
		}
		w.wantCounts(ben.UserID, 0, asking+1, 0)
		if got := w.status(denied.UserID, ben.UserID); got != stoa.NotFollowing {
			t.Errorf("who was denied is %s", got)
		}
		if n := len(w.outbox()) - before; n != asking+1 {
			t.Errorf("%d events for %d changes", n, asking+1)
		}
	}
	must[*stoa.SeenUser](t)(w.service.Request(t.Context(), denied, ben.UserID))
}

func TestWhenLikesGo(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to stoa.FollowStatus
		present  stoa.FollowStatus
		privacy  stoa.PrivacyStatus
		gone     bool
	}{
		{"denied", stoa.Following, stoa.FollowDenied, stoa.FollowDenied, stoa.Public, true},
		{"left a private user", stoa.Following, stoa.NotFollowing, stoa.NotFollowing, stoa.Private, true},
		{"left a public user", stoa.Following, stoa.NotFollowing, stoa.NotFollowing, stoa.Public, false},
		{"left a private user and asked again", stoa.Following, stoa.NotFollowing, stoa.Requested, stoa.Private, true},
		{"left and follows again", stoa.Following, stoa.NotFollowing, stoa.Following, stoa.Private, false},
		{"asked", stoa.NotFollowing, stoa.Requested, stoa.Requested, stoa.Private, false},
		{"accepted", stoa.Requested, stoa.Following, stoa.Following, stoa.Private, false},
		{"accepted, then denied", stoa.Requested, stoa.Following, stoa.FollowDenied, stoa.Private, true},
	} {
		w := newWorld(t)
		ana, ben := w.user(stoa.User{Username: "ana"}), w.user(stoa.User{Username: "ben", Privacy: c.privacy})
		if c.present != stoa.NotFollowing {
			step := stoa.FollowStep{From: stoa.NotFollowing, Follow: stoa.Follow{
				FollowerUserID: ana.UserID, FollowedUserID: ben.UserID, Status: c.present, FollowedAt: w.tick(),
			}}
			if err := w.store.Follows.Move(t.Context(), step, step.Event("e", w.tick())); err != nil {
				t.Fatal(err)
			}
		}
		e := stoa.Event{Kind: stoa.FollowMoved, UserID: ben.UserID, FollowerUserID: ana.UserID, FollowFrom: c.from, FollowTo: c.to}
		if err := w.service.FollowMoved(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		var want []string
		if c.gone {
			want = []string{"ana ben"}
		}
		if !slices.Equal(w.unliked, want) {
			t.Errorf("%s: removed %v, want %v", c.name, w.unliked, want)
		}
	}
}
