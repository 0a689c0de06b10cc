package like_test

import (
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// posts 24.25: so does a like from before the archiving of its post if the post is restored before the likes have been
// removed, but not one from after that.
func TestLikesOfAPostRestoredAtOnce(t *testing.T) {
	Test(t, Users("ana", "ben", "cem", "dan").Post("ben", "p1").Like("dan", "p1"), func(w *World) {
		w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Must("ana", likeAgain) }))
		disarm := w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal).In("test-main"))
		w.Must("ben", `mutation { archivePost(postId: "p1") { postId } }`)
		if !disarm() {
			w.T.Fatal("the likes were removed at once")
		}
		w.Must("ben", `mutation { restoreArchivedPost(postId: "p1") { postId } }`)
		w.Must("cem", likeAgain)
		w.Settle()
		Tells(w, "ana", lookP1, `{"post":{"likeStatus":"NOT_LIKED","onymousLikeCount":null,"anonymousLikeCount":null}}`)
		Tells(w, "cem", lookP1, `{"post":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null,"anonymousLikeCount":null}}`)
		Tells(w, "ben", lookP1, `{"post":{"likeStatus":"NOT_LIKED","onymousLikeCount":1,"anonymousLikeCount":0}}`)
		Sound(w)
	})
}
