package resolvers_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

// A page of images costs as many store calls as one image: see TestStoreCalls.
func TestStoreCallsOfImages(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ana", "ben").Follow("ana", "cleo").
		Does("ben", `mutation { addAlbum(albumId: "album", name: "all") { albumId } }`)
	for i := range 11 {
		given = given.Does("ben", "%s", ImagePost(fmt.Sprint("b", i), JPEG(8+i, 8), "", `, albumId: "album"`, "postId")).
			Does("cleo", "%s", ImagePost(fmt.Sprint("c", i), JPEG(8+i, 8), "", "", "postId"))
	}
	photo := JPEG(30, 20)
	for _, c := range []struct {
		name              string
		query             string
		calls, roundTrips int
	}{
		{"feed page of 20 images", `{ self { feed(limit: 20) { items { postId image { url url480p width height colors { r g b } } album { albumId name } originalPost { postId image { url } } likeStatus viewedStatus flagStatus
			onymousLikeCount commentsCount viewedByCount postedBy { userId username followedStatus } } nextToken } } }`, 8, 8},
		{"feed page of 20 thumbnails", `{ self { feed(limit: 20) { items { postId image { url64p } postedBy { username } } } } }`, 4, 4},
		{"image that comes along", ImagePost("new", photo, "", "", "postStatus image { width } originalPost { postId }"), 10, 10},
		{"image that waits", `mutation { addPost(postId: "waits", imageInput: {originalFormat: "HEIC"}) { postStatus imageUploadUrl } }`, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, given, func(w *World) {
				w.Play(Scenario{As: "ana", Query: c.query, Calls: Calls{Total: c.calls, RoundTrips: c.roundTrips}})
			})
		})
	}
}
