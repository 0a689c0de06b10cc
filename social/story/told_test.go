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

// users F22: a first story is stored for those who follow and for nobody else, whatever else
// changes before what was decided is stored.
func TestFirstStoriesAmidOtherChanges(t *testing.T) {
	const (
		follow   = `mutation { followUser(userId: "{ana}") { userId } }`
		unfollow = `mutation { unfollowUser(userId: "{ana}") { userId } }`
		accept   = `mutation { acceptFollowerUser(userId: "{ben}") { userId } }`
		post     = `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", lifetime: "PT1H") { postId } }`
	)
	posted := Users("ana", "ben").Post("ana", "p1", Lifetime("PT1H"))
	for _, c := range []struct {
		name          string
		given         Given
		as, query     string
		other, change string
	}{
		{"an accepted follower leaves", posted.Details("ana", "privacyStatus: PRIVATE").Follow("ben", "ana"), "ana", accept, "ben", unfollow},
		{"an accepted follower blocks", posted.Details("ana", "privacyStatus: PRIVATE").Follow("ben", "ana"),
			"ana", accept, "ben", `mutation { blockUser(userId: "{ana}") { userId } }`},
		{"the story of a followed user is archived", posted, "ben", follow, "ana", `mutation { archivePost(postId: "p1") { postId } }`},
		{"the story of a followed user is deleted", posted, "ben", follow, "ana", `mutation { deletePost(postId: "p1") { postId } }`},
		{"the story of a followed user never expires", posted, "ben", follow, "ana", `mutation { editPostExpiresAt(postId: "p1") { postId } }`},
		{"a follower leaves amid a story", Users("ana", "ben").Follow("ben", "ana"), "ana", post, "ben", unfollow},
	} {
		for n := 1; n <= 6; n++ {
			Test(t, c.given, func(w *World) {
				happened := w.Before(n, Given{}.Does(c.other, "%s", c.change)...)
				if a := w.Ask(c.as, c.query); len(a.Errors) > 0 {
					return // the other change was the first
				}
				w.Settle()
				if rows := firstStories(w); happened() && rows != "" {
					w.T.Errorf("%s before transaction %d: left is %s", c.name, n, rows)
				}
				Sound(w)
			})
		}
	}
}
