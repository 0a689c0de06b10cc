package story_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// 12.4: who is told stays the same when some of the rows are written by the next attempt.
func TestRowsOfTheFirstAttemptAreToldOf(t *testing.T) {
	given := Users("ana")
	var names []string
	for i := range 30 { // rows for two calls
		name := fmt.Sprintf("reader%d", i)
		names = append(names, name)
		given = given.Users(name).Follow(name, "ana").Listen(name)
	}
	for n := 1; n <= 2; n++ {
		Test(t, given, func(w *World) {
			w.TakeHeard()
			disarm := w.Client.Arm(faultdb.On("BatchWriteItem", n, faultdb.Internal).In("test-main"))
			w.Must("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", lifetime: "PT1H") { postId } }`)
			if !disarm() {
				w.T.Fatalf("nothing failed: %s", w.Client)
			}
			heard := map[string]int{}
			for range 2 {
				for name, messages := range w.TakeHeard() {
					heard[name] += strings.Count(strings.Join(messages, "\n"), "USER_FOLLOWED_USERS_WITH_STORIES_CHANGED")
				}
				w.Settle()
			}
			for _, name := range names {
				if heard[name] != 1 {
					w.T.Errorf("call %d fails: %s heard %d times", n, name, heard[name])
				}
			}
			if rows := strings.Count(firstStories(w), "p1"); rows != len(names) {
				w.T.Errorf("call %d fails: %d rows", n, rows)
			}
		})
	}
}
