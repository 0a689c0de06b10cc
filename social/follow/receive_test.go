package follow_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/outbox/outboxtest"
	"stoa/social"
)

func TestGoingPublicAnswersAllRequests(t *testing.T) {
	w := newWorld(t)
	ben := w.user(social.User{Username: "ben", Privacy: social.Private})
	const asking = 103 // more than a page
	for i := range asking {
		must[*social.SeenUser](t)(w.service.Request(t.Context(), w.user(social.User{Username: fmt.Sprintf("u%03d", i)}), ben.UserID))
	}
	follower, denied := w.user(social.User{Username: "follower"}), w.user(social.User{Username: "denied"})
	must[*social.SeenUser](t)(w.service.Request(t.Context(), follower, ben.UserID))
	must[*social.SeenUser](t)(w.service.Accept(t.Context(), ben, follower.UserID))
	must[*social.SeenUser](t)(w.service.Request(t.Context(), denied, ben.UserID))
	must[*social.SeenUser](t)(w.service.Deny(t.Context(), ben, denied.UserID))
	before := len(w.outbox())

	opened := func() {
		t.Helper()
		if _, err := outboxtest.All(t.Context(), social.UserOpened{UserID: ben.UserID}, w.service.UserOpened); err != nil {
			t.Fatal(err)
		}
	}
	opened()
	w.wantCounts(ben.UserID, 0, 1, asking) // still private: nothing to do

	w.open(ben.UserID)
	for range 2 { // once more changes nothing
		opened()
		w.wantCounts(ben.UserID, 0, asking+1, 0)
		if got := w.status(denied.UserID, ben.UserID); got != social.NotFollowing {
			t.Errorf("who was denied is %s", got)
		}
		if n := len(w.outbox()) - before; n != asking+1 {
			t.Errorf("%d events for %d changes", n, asking+1)
		}
	}
	must[*social.SeenUser](t)(w.service.Request(t.Context(), denied, ben.UserID))
}

func TestWhenLikesGo(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to social.FollowStatus
		present  social.FollowStatus
		privacy  social.PrivacyStatus
		gone     bool
	}{
		{"denied", social.Following, social.FollowDenied, social.FollowDenied, social.Public, true},
		{"left a private user", social.Following, social.NotFollowing, social.NotFollowing, social.Private, true},
		{"left a public user", social.Following, social.NotFollowing, social.NotFollowing, social.Public, false},
		{"left a private user and asked again", social.Following, social.NotFollowing, social.FollowRequested, social.Private, true},
		{"left and follows again", social.Following, social.NotFollowing, social.Following, social.Private, false},
		{"asked", social.NotFollowing, social.FollowRequested, social.FollowRequested, social.Private, false},
		{"accepted", social.FollowRequested, social.Following, social.Following, social.Private, false},
		{"accepted, then denied", social.FollowRequested, social.Following, social.FollowDenied, social.Private, true},
	} {
		w := newWorld(t)
		ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben", Privacy: c.privacy})
		if c.present != social.NotFollowing {
			step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
				FollowerUserID: ana.UserID, FollowedUserID: ben.UserID, Status: c.present, FollowedAt: w.tick(),
			}}
			if err := w.store.Follows.Move(t.Context(), step); err != nil {
				t.Fatal(err)
			}
		}
		e := social.FollowMoved{FollowerUserID: ana.UserID, FollowedUserID: ben.UserID, From: c.from, To: c.to}
		if _, err := outboxtest.All(t.Context(), e, w.service.FollowMoved); err != nil {
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
