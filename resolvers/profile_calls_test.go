package resolvers_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

// A profile screen takes at most 8 store calls: a user with all details visible to others,
// the follows and blocks between the two users, 20 posts and 20 followers.
func TestStoreCallsOfAProfileScreen(t *testing.T) {
	given := Users("ana", "ben").Follow("ana", "ben").Follow("ben", "ana")
	for i := range 22 {
		name := fmt.Sprintf("fan%02d", i)
		given = given.Users(name).Follow(name, "ben").Post("ben", fmt.Sprintf("p%02d", i))
	}
	const user = `userId username followedStatus followerStatus blockedStatus blockerStatus`
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ana", Calls: Calls{Total: 8}, Query: `{ user(userId: "{ben}") { ` + user + `
			userStatus privacyStatus fullName displayName bio photo { url url64p url480p url1080p url4k } themeCode signedUpAt dateOfBirth gender height
			subscriptionLevel userDisableDatingDate postCount albumCount followedsCount followersCount matchStatus
			posts(limit: 20) { items { postId postedAt postType text image { url480p } likeStatus viewedStatus onymousLikeCount commentsCount postedBy { ` + user + ` } } nextToken }
			followerUsers(limit: 20) { items { ` + user + ` fullName photo { url64p } } nextToken } } }`})
	})
}
