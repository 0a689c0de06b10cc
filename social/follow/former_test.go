package follow_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const (
	lookAtBen = `{ user(userId: "{ben}") { followedStatus followerStatus blockedStatus blockerStatus userStatus } }`
	strangers = `{"user":{"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`
)

// users D10: follows left by former profiles do not affect the new one, whatever cleanup is still
// running. Changes that meet them change only their own counters.
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
					Tells(w, "ana", lookAtBen, strangers)
					Tells(w, "ana", c.query, c.want)
					Tells(w, "ana", lookAtBen, c.after)
					w.Deliver(removed)
					Tells(w, "ana", lookAtBen, c.after)
					Sound(w)
				})
			})
		}
	}
}

// users D10: blocks of former profiles neither hide nor prevent anything.
func TestBlocksOfFormerProfiles(t *testing.T) {
	for _, renewed := range []string{"ana", "ben"} {
		t.Run(renewed, func(t *testing.T) {
			Test(t, Users("ana", "ben").Block("ana", "ben").Block("ben", "ana"), func(w *World) {
				removed := Renew(w, renewed)
				Tells(w, "ana", lookAtBen, strangers)
				Tells(w, "ana", `mutation { unblockUser(userId: "{ben}") { userId } }`, "ClientError: User `{ana}` has not blocked user `{ben}`")
				Tells(w, "ana", `mutation { followUser(userId: "{ben}") { followedStatus } }`, `{"followUser":{"followedStatus":"FOLLOWING"}}`)
				Tells(
					w,
					"ana",
					`mutation { blockUser(userId: "{ben}") { blockedStatus followedStatus } }`,
					`{"blockUser":{"blockedStatus":"BLOCKING","followedStatus":"NOT_FOLLOWING"}}`,
				)
				w.Deliver(removed)
				Tells(
					w,
					"ana",
					lookAtBen,
					`{"user":{"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","userStatus":"ACTIVE"}}`,
				)
				Sound(w)
			})
		})
	}
}
