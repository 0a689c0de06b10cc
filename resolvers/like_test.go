package resolvers_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const likeP1 = `mutation { onymouslyLikePost(postId: "p1") { likeStatus onymousLikeCount } }`

func TestLikePost(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "shown to the owner", Given: given, As: "ben", Query: likeP1, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount onymouslyLikedBy { items { username } } likeStatus } }`, Want: `{"post":{"onymousLikeCount":1,"anonymousLikeCount":0,"onymouslyLikedBy":{"items":[{"username":"ben"}]},"likeStatus":"NOT_LIKED"}}`},
				{As: "ben", Query: `{ self { onymouslyLikedPosts { items { postId likeStatus } } } }`, Want: `{"self":{"onymouslyLikedPosts":{"items":[{"postId":"p1","likeStatus":"ONYMOUSLY_LIKED"}]}}}`}}},
		{Name: "without showing it", Given: given, As: "ben", Query: `mutation { anonymouslyLikePost(postId: "p1") { likeStatus onymouslyLikedBy { nextToken } } }`,
			Want: `{"anonymouslyLikePost":{"likeStatus":"ANONYMOUSLY_LIKED","onymouslyLikedBy":null}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount onymouslyLikedBy { items { username } } } }`, Want: `{"post":{"onymousLikeCount":0,"anonymousLikeCount":1,"onymouslyLikedBy":{"items":[]}}}`},
				{As: "ben", Query: `{ self { onymouslyLikedPosts { items { postId } } anonymouslyLikedPosts { items { postId } } } }`, Want: `{"self":{"onymouslyLikedPosts":{"items":[]},"anonymouslyLikedPosts":{"items":[{"postId":"p1"}]}}}`}}},
		{Name: "one's own", Given: given, As: "ana", Query: likeP1, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":1}}`},
		{Name: "twice in either way", Given: given.Like("ben", "p1"), As: "ben", Query: `mutation { anonymouslyLikePost(postId: "p1") { postId } }`,
			Error: "ClientError: User `{ben}` has already liked post `p1`"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { onymouslyLikePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
		{Name: "of whoever blocks the caller", Given: given.Block("ana", "ben"), As: "ben", Query: likeP1, Error: "ClientError: User has been blocked by owner of post `p1`"},
		{Name: "of whom the caller blocks", Given: given.Block("ben", "ana"), As: "ben", Query: likeP1, Error: "ClientError: User has blocked owner of post `p1`"},
		{Name: "of a private user", Given: Users("ana!private", "ben").Post("ana", "p1"), As: "ben", Query: likeP1, Error: "ClientError: User does not have access to post `p1`"},
		{Name: "likes off for the post, the owner too", Given: given.EditPost("ana", "p1", `likesDisabled: true`), As: "ana", Query: likeP1, Error: "ClientError: Likes are disabled for this post `p1`"},
		{Name: "likes off for the owner", Given: given.Details("ana", `likesDisabled: true`), As: "ben", Query: likeP1, Error: "ClientError: Owner of this post (user `{ana}` has disabled likes"},
		{Name: "likes off for the caller", Given: given.Details("ben", `likesDisabled: true`), As: "ben", Query: likeP1, Error: "ClientError: Caller `{ben}` has disabled likes"},
	})
}

func TestDislikePost(t *testing.T) {
	const dislike = `mutation { dislikePost(postId: "p1") { likeStatus onymousLikeCount } }`
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "takes it back", Given: given.Like("ana", "p1"), As: "ana", Query: dislike, Want: `{"dislikePost":{"likeStatus":"NOT_LIKED","onymousLikeCount":0}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { onymouslyLikedBy { items { userId } } } }`, Want: `{"post":{"onymouslyLikedBy":{"items":[]}}}`}}},
		{Name: "no like", Given: given, As: "ben", Query: dislike, Error: "ClientError: User has not liked post `p1`, thus cannot dislike it"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { dislikePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
		{Name: "switches and lost sight do not matter", Given: given.Like("ben", "p1").EditPost("ana", "p1", `likesDisabled: true`).Details("ana", `privacyStatus: PRIVATE`),
			As: "ben", Query: `mutation { dislikePost(postId: "p1") { postId likeStatus postedBy { userId fullName } } }`, Want: `{"dislikePost":null}`},
	})
}
