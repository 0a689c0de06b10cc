package comment_test

import (
	"strings"
	"testing"

	. "stoa/social/socialtest"
	"stoa/store"
)

// Flags on a comment are removed with it, in whatever order its post and its author's other
// comments are removed.
func TestFlagsOnCommentsOfAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Comment("ana", "p1", "own").Does("ben", `mutation { flagComment(commentId: "own") { commentId } }`)
	Test(t, given, func(w *World) {
		w.Must("ana", `mutation { deleteUser { userId } }`)
		w.Settle()
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// chats 1.4#6 and 5.2#9: the comments of a removed user are deleted everywhere, with the
// counts of posts and the cards that refer to them.
func TestCommentsOfAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Post("ben", "p2").Comment("ben", "p1", "seen").ViewPost("ana", "p1").
		Comment("ben", "p1", "c1", "hi @ana @cleo").Comment("cleo", "p1", "c2").Comment("ben", "p2", "own").Comment("cleo", "p2", "c3")
	Test(t, given, func(w *World) {
		before := w.Counters()
		w.Do(Given{}.Gone("ben")...)
		after := w.Counters()
		for counter, want := range map[string]int{
			"p1.commentCount": -2, "p1.commentsUnviewedCount": -1, "ana.cardCount": -1, "cleo.cardCount": -1,
			"cleo.commentCount": -1, // the one on a post that goes as well
		} {
			if got := after[counter] - before[counter]; got != want {
				w.T.Errorf("%s shifts by %d, want %d", counter, got, want)
			}
		}
		answer := w.Must(
			"ana",
			`{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) comments { items { commentId } } } self { cards { items { title } } } }`,
		)
		if want := `{"post":{"commentsCount":1,"new":1,"comments":{"items":[{"commentId":"c2"}]}},"self":{"cards":{"items":[{"title":"You have 1 new comment"},` +
			`{"title":"Add a profile photo"}]}}}`; string(
			answer.Data,
		) != want {
			w.T.Errorf("ana sees\n%s\nwant\n%s", answer.Data, want)
		}
		for _, id := range []string{"seen", "c1", "own"} {
			if w.Get(store.Main.Name, "comment/"+id, "-") != nil {
				w.T.Errorf("comment %s is left", id)
			}
		}
		for _, problem := range w.Problems() {
			if !strings.Contains(problem, "postCount") { // the posts are the business of others
				w.T.Error(problem)
			}
		}
	})
}
