package follow_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

// Responses include any field of the other user, also their match.
func TestAnswersShowTheMatch(t *testing.T) {
	daters := Daters("ana", "ben")
	for mutation, c := range map[string]struct {
		given Given
		want  string
	}{
		"followUser":         {daters, "POTENTIAL"},
		"unfollowUser":       {daters.Follow("ana", "ben"), "POTENTIAL"},
		"acceptFollowerUser": {daters.Details("ana", "privacyStatus: PRIVATE").Follow("ben", "ana"), "POTENTIAL"},
		"denyFollowerUser":   {daters.Follow("ben", "ana"), "POTENTIAL"},
		"blockUser":          {daters, "NOT_MATCHED"},
		"unblockUser":        {daters.Block("ana", "ben"), "NOT_MATCHED"},
	} {
		t.Run(mutation, func(t *testing.T) {
			Test(t, c.given, func(w *World) {
				Tells(w, "ana", fmt.Sprintf(`mutation { %s(userId: "{ben}") { matchStatus } }`, mutation), fmt.Sprintf(`{"%s":{"matchStatus":"%s"}}`, mutation, c.want))
			})
		})
	}
}
