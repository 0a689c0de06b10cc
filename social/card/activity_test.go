package card_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// The card for comments shows the number that the owner has not viewed, whatever happens
// concurrently.
func TestCommentActivityBesideOtherComments(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1").Comment("ben", "p1", "c1").Comment("ben", "p1", "c2")
	const add, remove = `mutation { addComment(commentId: "new", postId: "p1", text: "x") { commentId } }`, `mutation { deleteComment(commentId: "c1") { commentId } }`
	for _, c := range []struct {
		name, by, mutation, call string
		n, unviewed              int
	}{
		{"added at the same time", "ben", add, "TransactWriteItems", 1, 4},
		{"added before one is removed", "ben", remove, "TransactWriteItems", 1, 2},
		{"added before it is noticed that one was removed", "ben", remove, "BatchGetItem", 2, 2},
		{"added before the others are viewed", "ana", viewP1, "TransactWriteItems", 1, 0},
		{"added before it is noticed that the others were viewed", "ana", viewP1, "Query", 1, 1},
		{"added before the card of the others goes", "ana", viewP1, "TransactWriteItems", 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, given, func(w *World) {
				disarm := w.Client.Arm(faultdb.Before(c.call, c.n, func() {
					w.Must("cleo", `mutation { addComment(commentId: "late", postId: "p1", text: "x") { commentId } }`)
				}))
				w.Must(c.by, c.mutation)
				if !disarm() {
					w.T.Fatal("nothing came in between")
				}
				cards := `[]`
				if c.unviewed == 1 {
					cards = `[{"title":"You have 1 new comment"}]`
				} else if c.unviewed > 1 {
					cards = fmt.Sprintf(`[{"title":"You have %d new comments"}]`, c.unviewed)
				}
				w.Play(Scenario{As: "ana", Query: `{ self { cards { items { title } } } post(postId: "p1") { commentsCount(viewedStatus: NOT_VIEWED) } }`,
					Want: fmt.Sprintf(`{"self":{"cards":{"items":%s}},"post":{"commentsCount":%d}}`, cards, c.unviewed)})
				for _, problem := range w.Problems() {
					w.T.Error(problem)
				}
			})
		})
	}
}

// Concurrent comments on a post are all counted, even when conflicts are too frequent for
// them to change the card themselves.
func TestCommentActivityOfABusyPost(t *testing.T) {
	Test(t, Users("ana", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1"), func(w *World) {
		var disarm func() bool
		late := 0
		var meet func()
		meet = func() {
			late++
			w.Must("cleo", fmt.Sprintf(`mutation { addComment(commentId: "late%d", postId: "p1", text: "x") { commentId } }`, late))
			if late < 4 {
				disarm = w.Client.Arm(faultdb.Before("TransactWriteItems", 1, meet))
			}
		}
		disarm = w.Client.Arm(faultdb.Before("TransactWriteItems", 1, meet))
		w.Must("ben", `mutation { addComment(commentId: "new", postId: "p1", text: "x") { commentId } }`)
		if !disarm() || late != 4 {
			w.T.Fatalf("%d came in between", late)
		}
		w.Play(Scenario{As: "ana", Query: `{ self { cardCount cards { items { title } } } }`, Want: `{"self":{"cardCount":1,"cards":{"items":[{"title":"You have 5 new comments"}]}}}`})
	})
}
