package comment_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// users D10: removing comments of a former profile does not change the counters of the new one,
// in whichever way they are removed.
func TestCommentsOfAFormerProfile(t *testing.T) {
	for name, query := range map[string]string{
		"with their post": `mutation { deletePost(postId: "p1") { postStatus } }`,
		"one by one":      `mutation { deleteComment(commentId: "old") { commentId } }`,
	} {
		t.Run(name, func(t *testing.T) {
			Test(t, Users("ana", "ben").Post("ben", "p1").Post("ben", "p2").Comment("ana", "p1", "old"), func(w *World) {
				removed := Renew(w, "ana")
				w.Must("ana", `mutation { addComment(commentId: "new", postId: "p2", text: "mine") { commentId } }`)
				w.Must("ben", query)
				if got := w.Get("main", "user/{ana}", "profile"); got["commentCount"] != 1.0 || got["commentDeletedCount"] != nil {
					t.Errorf("commentCount %v, commentDeletedCount %v", got["commentCount"], got["commentDeletedCount"])
				}
				w.Deliver(removed)
				Sound(w)
			})
		})
	}
}
