package follow_test

import (
	"testing"
	"time"

	. "stoa/social/socialtest"
)

const (
	lookAtBen = `{ user(userId: "{ben}") { followedStatus followerStatus blockedStatus blockerStatus userStatus } }`
	strangers = `{"user":{"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`
)

// tells has somebody ask what is answered with data, or refused.
func tells(w *World, as, query, want string) {
	w.T.Helper()
	w.Advance(time.Second)
	a := w.Ask(as, query)
	got := string(a.Data)
	if len(a.Errors) > 0 {
		got = a.Errors[0].Message
	}
	if got := w.People.Name(got); got != want {
		w.T.Errorf("%s is told %s, want %s", query, got, want)
	}
}

// sound looks for problems once everything is cleared away.
func sound(w *World) {
	w.T.Helper()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
	for _, drift := range w.TakeDrifts() {
		w.T.Errorf("drifted: %+v", drift)
	}
}

// D10: what former profiles have left between two users is nothing to the new one, whatever
// clean-up still runs. A step that meets it changes no counter but its own.
func TestFollowsOfFormerProfiles(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ana", "ben").Follow("ben", "ana").Follow("cleo", "ben").Follow("cleo", "ana")
	for _, renewed := range []string{"ana", "ben"} {
		for _, c := range []struct{ name, query, want, after string }{
			{"leaving", `mutation { unfollowUser(userId: "{ben}") { userId } }`, "ClientError: User `{ana}` is not following `{ben}`", strangers},
			{"denying", `mutation { denyFollowerUser(userId: "{ben}") { userId } }`, "ClientError: User `{ben}` has not requested to follow user `{ana}`", strangers},
			{"following again", `mutation { followUser(userId: "{ben}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`,
				`{"user":{"followedStatus":"FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`},
			{"blocking", `mutation { blockUser(userId: "{ben}") { blockedStatus } }`, `{"blockUser":{"blockedStatus":"BLOCKING"}}`,
				`{"user":{"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`},
		} {
			t.Run(renewed+" "+c.name, func(t *testing.T) {
				Test(t, given, func(w *World) {
					removed := Renew(w, renewed)
					tells(w, "ana", lookAtBen, strangers)
					tells(w, "ana", c.query, c.want)
					tells(w, "ana", lookAtBen, c.after)
					Deliver(w, removed)
					tells(w, "ana", lookAtBen, c.after)
					sound(w)
				})
			})
		}
	}
}

// D10: blocks of former profiles neither hide anybody nor stand in the way.
func TestBlocksOfFormerProfiles(t *testing.T) {
	for _, renewed := range []string{"ana", "ben"} {
		t.Run(renewed, func(t *testing.T) {
			Test(t, Users("ana", "ben").Block("ana", "ben").Block("ben", "ana"), func(w *World) {
				removed := Renew(w, renewed)
				tells(w, "ana", lookAtBen, strangers)
				tells(w, "ana", `mutation { unblockUser(userId: "{ben}") { userId } }`, "ClientError: User `{ana}` has not blocked user `{ben}`")
				tells(w, "ana", `mutation { followUser(userId: "{ben}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`)
				tells(w, "ana", `mutation { blockUser(userId: "{ben}") { blockedStatus followedStatus } }`, `{"blockUser":{"blockedStatus":"BLOCKING","followedStatus":"NOT_FOLLOWING"}}`)
				Deliver(w, removed)
				tells(w, "ana", lookAtBen, `{"user":{"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`)
				sound(w)
			})
		})
	}
}
