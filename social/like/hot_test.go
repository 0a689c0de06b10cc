package like_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// hot is the system in which likes of a post are always stored together with others.
var hot = With(func(o *app.Options) { o.HotFrom = 1 })

// What is stored together has the effects of what is stored alone.
func TestLikesOfHotPosts(t *testing.T) {
	given := Users("ana", "ben").Post("ben", "p1").ListenToCards("ben")
	const like = `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`
	apptest.Run(t, hot, []Scenario{
		{
			Name: "the first", Given: given, As: "ana", Query: like,
			Want:   `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`,
			Counts: Counts{"p1.onymousLikeCount": 1, "ben.cardCount": 1},
		},
		{
			Name: "blocked meanwhile", Given: given, As: "ana", Query: like, Meanwhile: Given{}.Block("ben", "ana"),
			Error: "ClientError: User has been blocked by owner of post `p1`", Adds: true,
		},
		{
			Name: "archived meanwhile", Given: given, As: "ana", Query: like, Meanwhile: Given{}.Archive("ben", "p1"),
			Error: "ClientError: Cannot like posts with status `ARCHIVED`", Adds: true,
		},
	}, Options()...)
}

// Of many likes at the same time each counts once, and the owner gets one card.
func TestManyLikesAtOnce(t *testing.T) {
	const likers = 40
	given := Users("ben").Post("ben", "p1")
	for i := range likers {
		given = given.Users(fmt.Sprint("liker", i))
	}
	apptest.Test(t, hot, func(w *World) {
		w.Do(given...)
		w.Together(likers+5, func(i int) {
			// Five send the same twice, one of which is refused.
			a := w.Ask(fmt.Sprint("liker", i%likers), `mutation { anonymouslyLikePost(postId: "p1") { postId } }`)
			if len(a.Errors) > 0 && a.Errors[0].Extensions.Code != "INVALID" {
				t.Errorf("like %d: %v", i, a.Errors)
			}
		})
		w.Settle()
		Tells(w, "ben", `{ post(postId: "p1") { anonymousLikeCount } }`, fmt.Sprintf(`{"post":{"anonymousLikeCount":%d}}`, likers))
		if cards := string(w.Must("ben", `{ self { cards { items { cardId } } } }`).Data); strings.Count(cards, ":POST_LIKES:p1") != 1 {
			t.Errorf("the owner has the cards %s", cards)
		}
		Sound(w)
	}, Options()...)
}
