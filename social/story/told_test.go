package story_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// users F22: the same users are notified if some of the rows are written by a second attempt,
// and if the process dies before anyone is notified.
func TestRowsOfTheFirstAttemptAreToldOf(t *testing.T) {
	given := Users("ana")
	var names []string
	for i := range 60 { // rows for two calls
		name := fmt.Sprintf("reader%d", i)
		names = append(names, name)
		given = given.Users(name).Follow(name, "ana").Listen(name)
	}
	for name, fault := range map[string]faultdb.Fault{
		"the first are not written": faultdb.On("TransactWriteItems", 2, faultdb.Internal), "the others are not written": faultdb.On("TransactWriteItems", 3, faultdb.Internal),
		"the first are written and nobody knows": faultdb.On("TransactWriteItems", 2, faultdb.Internal).Late(),
		"so are the others":                      faultdb.On("TransactWriteItems", 3, faultdb.Internal).Late(),
	} {
		Test(t, given, func(w *World) {
			w.TakeHeard()
			disarm := w.Client.Arm(fault)
			w.Must("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", lifetime: "PT1H") { postId } }`)
			if !disarm() {
				w.T.Fatalf("nothing failed: %s", w.Client)
			}
			heard := map[string]int{}
			for range 2 {
				for reader, messages := range w.TakeHeard() {
					heard[reader] += strings.Count(strings.Join(messages, "\n"), "USER_FOLLOWED_USERS_WITH_STORIES_CHANGED")
				}
				w.Settle()
			}
			for _, reader := range names {
				if heard[reader] != 1 {
					w.T.Errorf("%s: %s heard %d times", name, reader, heard[reader])
				}
			}
			if rows := strings.Count(firstStories(w), "p1"); rows != len(names) {
				w.T.Errorf("%s: %d rows", name, rows)
			}
		})
	}
}
