package resolvers_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"

	. "stoa/social/socialtest"
)

// A page of images takes as many store calls as a single image; see TestStoreCalls.
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
		{"feed page of 20 images", `{ self { feed(limit: 20) { items { postId image { url url480p width height colors { r g b } } album { albumId name } ` +
			`originalPost { postId image { url } } likeStatus viewedStatus flagStatus
			onymousLikeCount commentsCount viewedByCount postedBy { userId username followedStatus photo { url64p } } } nextToken } } }`, 5, 5},
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

// The objects that a page of posts refers to are read concurrently: albums, users and
// originals, then the albums and users of the originals.
func TestRoundTripsOfImages(t *testing.T) {
	given := Users("ana", "ben", "cleo", "dan").Follow("ana", "ben").Follow("ana", "cleo")
	for _, owner := range []string{"dan", "ben", "cleo"} {
		given = given.Album(owner, owner+"s")
	}
	for i := range 10 {
		for copier, file := range map[string][]byte{"ben": JPEG(8+i, 8), "cleo": JPEG(8+i, 9)} {
			id := fmt.Sprint(copier, i)
			given = given.Does("dan", "%s", ImagePost("of"+id, file, "", `, albumId: "dans"`, "postId")).
				Does(copier, "%s", ImagePost(id, file, "", fmt.Sprintf(`, albumId: "%ss"`, copier), "postId"))
		}
	}
	given = given.Image("ben", "photo", 60, 40).Details("ben", `photoPostId: "photo"`).Does("ben", `mutation { deletePost(postId: "photo") { postId } }`)
	apptest.Metered(t, System, func(w *World) { // as if DynamoDB was asked: reads of the engine in the process take turns
		w.Do(given...)
		c, _, _ := w.Measure("ana", `{ self { feed(limit: 20) { items {
			postId image { url url480p width height colors { r g b } } album { albumId name } likeStatus viewedStatus flagStatus
			onymousLikeCount commentsCount viewedByCount postedBy { userId username followedStatus photo { url64p } }
			originalPost { postId image { url } album { name } likeStatus postedBy { username followerStatus } }
		} nextToken } } }`)
		if c.Calls > 9 || c.Trips > 5 {
			t.Errorf("%d store calls in %d round trips, want at most 9 in 5", c.Calls, c.Trips)
		}
	}, Options()...)
}
