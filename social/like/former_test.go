package like_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const (
	likeAgain = `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`
	lookP1    = `{ post(postId: "p1") { likeStatus onymousLikeCount anonymousLikeCount } }`
)

// users D10: a like of a former profile does not count for the new one, and its removal does not
// remove a like of the new one.
func TestLikesOfAFormerProfile(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ben", "p1").LikeSecretly("ana", "p1"), func(w *World) {
		removed := Renew(w, "ana")
		Tells(w, "ana", `mutation { dislikePost(postId: "p1") { postId } }`, "ClientError: User has not liked post `p1`, thus cannot dislike it")
		Tells(w, "ana", likeAgain, `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`)
		w.Deliver(removed)
		Tells(w, "ana", lookP1, `{"post":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null,"anonymousLikeCount":null}}`)
		Tells(w, "ben", `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount } }`, `{"post":{"onymousLikeCount":1,"anonymousLikeCount":0}}`)
		Sound(w)
	})
}

// The rows of a removed user are cleaned up only once: no like by them can be added after
// that.
func TestLikesByUsersRemovedMeanwhile(t *testing.T) {
	given := Users("ana", "ben").Post("ben", "p1")
	const none = `{"post":{"likeStatus":"NOT_LIKED","onymousLikeCount":0,"anonymousLikeCount":0}}`
	Run(t, []Scenario{
		{Name: "deleted", Given: given, Meanwhile: Given{}.Gone("ana"), As: "ana", Query: likeAgain, Error: "ClientError: User `{ana}` does not exist",
			Then: []Scenario{{As: "ben", Query: lookP1, Want: none}}},
		{Name: "reset, with a new profile", Given: given, Meanwhile: Given{}.Reset("ana", "anew"), As: "ana", Query: likeAgain,
			Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`,
			Then: []Scenario{{As: "ana", Query: `{ self { onymouslyLikedPosts { items { postId } } } }`, Want: `{"self":{"onymouslyLikedPosts":{"items":[{"postId":"p1"}]}}}`}}},
	})
}
