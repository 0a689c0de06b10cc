package follow_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"stoa/internal/decision"
	"stoa/internal/kit/faultdb"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/follow"
	. "stoa/social/socialtest"
	"stoa/store"
)

// Becoming public accepts all pending requests, more than one page of them, and lets denied
// users ask again.
func TestGoingPublicAnswersAllRequests(t *testing.T) {
	const asking = 103
	given := Users("ben!private", "follower", "denied").Follow("follower", "ben").Accept("ben", "follower").Follow("denied", "ben").Deny("ben", "denied")
	for i := range asking {
		name := fmt.Sprintf("u%03d", i)
		given = given.Users(name).Follow(name, "ben")
	}
	counts := Counts{"ben.followersRequestedCount": -asking, "ben.followerCount": asking}
	for i := range asking {
		counts[fmt.Sprintf("u%03d.followedCount", i)] = 1
	}
	Test(t, given, func(w *World) {
		w.Play(Scenario{
			As: "ben", Query: `mutation { setUserDetails(privacyStatus: PUBLIC) { followersCount } }`, Want: `{"setUserDetails":{"followersCount":104}}`,
			Counts: counts, Events: Events{"user.opened": 1, "follow.moved": asking + 1}, Lags: true,
			Then: []Scenario{{As: "denied", Query: followBen, Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":105}}`}},
		})
	})
}

// unliked records the users whose likes are removed.
type unliked []string

func (u *unliked) RemoveBetween(_ context.Context, liker, owner social.UserID, _ string, _ func(context.Context) (func(social.Like) bool, error)) (string, int, error) {
	*u = append(*u, string(liker+" "+owner))
	return "", 0, nil
}

// users F16: events may arrive late, and whether likes are removed depends on the follow at that
// time.
func TestWhenLikesGo(t *testing.T) {
	const (
		not, asked, follows, denied = social.NotFollowing, social.FollowRequested, social.Following, social.FollowDenied
	)
	for _, c := range []struct {
		name     string
		present  Given
		from, to social.FollowStatus
		gone     bool
	}{
		{"denied", Users("ana", "ben").Follow("ana", "ben").Deny("ben", "ana"), follows, denied, true},
		{"left a private user", Users("ana", "ben!private"), follows, not, true},
		{"left a public user", Users("ana", "ben"), follows, not, false},
		{"left a private user and asked again", Users("ana", "ben!private").Follow("ana", "ben"), follows, not, true},
		{"left and follows again", Users("ana", "ben!private").Follow("ana", "ben").Accept("ben", "ana"), follows, not, false},
		{"asked", Users("ana", "ben!private").Follow("ana", "ben"), not, asked, false},
		{"accepted", Users("ana", "ben!private").Follow("ana", "ben").Accept("ben", "ana"), asked, follows, false},
		{"accepted, then denied", Users("ana", "ben!private").Follow("ana", "ben").Deny("ben", "ana"), asked, follows, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			Test(t, c.present, func(w *World) {
				var likes unliked
				stored := store.Open(w.DB)
				area := follow.Service{Store: stored.Follows, Users: stored.Users, Likes: &likes, Frame: decision.Frame{Events: &outboxtest.Recorder{}}}
				e := social.FollowStatusChanged{FollowerUserID: w.ID("ana"), FollowedUserID: w.ID("ben"), From: c.from, To: c.to}
				if _, err := outboxtest.All(t.Context(), e, area.FollowStatusChanged); err != nil {
					w.T.Fatal(err)
				}
				var want []string
				if c.gone {
					want = []string{string(w.ID("ana") + " " + w.ID("ben"))}
				}
				if !slices.Equal(likes, want) {
					w.T.Errorf("removed %v, want %v", likes, want)
				}
			})
		})
	}
}

// users F16: likes of a follower who has been accepted again stay, even if those from before
// their denial are about to be removed.
func TestLikesOfWhoIsAcceptedMeanwhileStay(t *testing.T) {
	const want = `{"post":{"likeStatus":"ONYMOUSLY_LIKED"}}`
	for n := 1; n <= 3; n++ {
		Test(t, Users("ana", "ben!private").Post("ben", "p1").Follow("ana", "ben").Accept("ben", "ana"), func(w *World) {
			accepted := false
			w.Client.Arm(faultdb.Before("Query", n, func() {
				w.Must("ben", `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`)
				w.Must("ana", `mutation { onymouslyLikePost(postId: "p1") { postId } }`)
				accepted = true
			}))
			w.Must("ben", `mutation { denyFollowerUser(userId: "{ana}") { userId } }`)
			w.Settle()
			if got := string(w.Must("ana", `{ post(postId: "p1") { likeStatus } }`).Data); accepted && got != want {
				w.T.Errorf("accepted before query %d: %s, want %s", n, got, want)
			}
			Sound(w)
		})
	}
}

// users F16: but those from before the denial go, also if the follower is accepted again, or the denial ends with the
// owner's privacy, before they have been removed.
func TestLikesFromBeforeADenialGo(t *testing.T) {
	for _, after := range []string{`acceptFollowerUser(userId: "{ana}")`, `setUserDetails(privacyStatus: PUBLIC)`} {
		given := Users("ana", "ben!private").Post("ben", "p1").Follow("ana", "ben").Accept("ben", "ana").Like("ana", "p1")
		Test(t, given, func(w *World) {
			disarm := w.Client.Arm(faultdb.Before("Query", 1, func() { w.Must("ben", `mutation { `+after+` { userId } }`) }).In("test-main"))
			w.Must("ben", `mutation { denyFollowerUser(userId: "{ana}") { userId } }`)
			if !disarm() {
				w.T.Fatal("the likes were removed without a query")
			}
			w.Settle()
			w.Compare(after, w.Must("ben", `{ post(postId: "p1") { onymousLikeCount } }`).Data, `{"post":{"onymousLikeCount":0}}`)
			Sound(w)
		})
	}
}
