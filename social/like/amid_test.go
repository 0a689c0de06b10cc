package like_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// users D4 and D5: a like that is committed between the decision and the commit of its liker's
// removal goes with the profile.
func TestLikesAmidARemoval(t *testing.T) {
	var scenarios []Scenario
	for _, removal := range []string{"deleteUser", "resetUser"} {
		scenarios = append(scenarios, Scenario{
			Name: removal, Given: Users("ana", "ben").Post("ben", "p1"), Meanwhile: Given{}.Does("ana", likeAgain),
			As: "ana", Query: `mutation { ` + removal + ` { userId } }`, Want: `{"` + removal + `":{"userId":"{ana}"}}`,
			Then: []Scenario{{As: "ben", Query: lookP1, Want: `{"post":{"likeStatus":"NOT_LIKED","onymousLikeCount":0,"anonymousLikeCount":0}}`}},
		})
	}
	Run(t, scenarios)
}

// posts 24.25: so does a like that is committed between the decision to archive its post and that
// commit, though it is later than the decision.
func TestLikesAmidArchiving(t *testing.T) {
	Run(t, []Scenario{{
		Name: "archivePost", Given: Users("ana", "ben").Post("ben", "p1"), Meanwhile: Given{}.Does("ana", likeAgain),
		As: "ben", Query: `mutation { archivePost(postId: "p1") { onymousLikeCount } }`, Want: `{"archivePost":{"onymousLikeCount":0}}`,
		Then: []Scenario{{
			As: "ben", Query: `mutation { restoreArchivedPost(postId: "p1") { onymousLikeCount anonymousLikeCount } }`,
			Want: `{"restoreArchivedPost":{"onymousLikeCount":0,"anonymousLikeCount":0}}`,
			Then: []Scenario{{As: "ana", Query: lookP1, Want: `{"post":{"likeStatus":"NOT_LIKED","onymousLikeCount":null,"anonymousLikeCount":null}}`}},
		}},
	}})
}
