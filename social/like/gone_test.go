package like_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/page"
	. "stoa/social/socialtest"
	"stoa/store"
)

// Users who can no longer see a private user's posts lose all their likes of them, however
// many. users F16
func TestLikesGoWithTheFollow(t *testing.T) {
	const many = 130
	given := Users("pia!private", "ben", "cem").Follow("ben", "pia").Accept("pia", "ben").Follow("cem", "pia").Accept("pia", "cem").
		Post("ben", "b1").Like("pia", "b1").Like("ben", "b1")
	counts := Counts{"ben.followedCount": -1, "pia.followerCount": -1}
	for i := range many {
		id := fmt.Sprintf("p%03d", i)
		given = given.Post("pia", id).Like("ben", id)
		counts[id+".onymousLikeCount"] = -1
	}
	given = given.Like("cem", "p000").LikeSecretly("pia", "p001")
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ben", Query: `mutation { unfollowUser(userId: "{pia}") { followedStatus } }`, Counts: counts})
		w.Play(Scenario{As: "ben", Query: `{ self { onymouslyLikedPosts { items { postId } } } }`, Want: `{"self":{"onymouslyLikedPosts":{"items":[{"postId":"b1"}]}}}`})
	})
}

func TestLikesGoBesideADislike(t *testing.T) {
	given := Users("pia!private", "ben").Follow("ben", "pia").Accept("pia", "ben").Post("pia", "p1").Post("pia", "p2").Like("ben", "p1").Like("ben", "p2")
	Test(t, given, func(w *World) {
		// The first transaction ends the follow. Before the second, which removes a like,
		// the other like is removed: directly in the store, because receivers of the same
		// user wait for each other.
		likes := store.Open(w.DB).Likes
		w.Client.Arm(faultdb.Before("TransactWriteItems", 2, func() {
			of, err := likes.OfPost(w.T.Context(), "p1", page.Query{First: 1})
			if err == nil {
				err = likes.Remove(w.T.Context(), of.Items[0])
			}
			if err != nil {
				w.T.Error(err)
			}
		}))
		w.Play(Scenario{As: "ben", Query: `mutation { unfollowUser(userId: "{pia}") { followedStatus } }`,
			Counts: Counts{"ben.followedCount": -1, "pia.followerCount": -1, "p1.onymousLikeCount": -1, "p2.onymousLikeCount": -1}})
	})
}

func TestLikesOfADeletedPost(t *testing.T) {
	const fans = 205
	given := Users("ana").Post("ana", "gone").Post("ana", "kept")
	for i := range fans {
		fan := fmt.Sprintf("fan%03d", i)
		given = given.Users(fan).Like(fan, "gone").LikeSecretly(fan, "kept")
	}
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ana", Query: `mutation { deletePost(postId: "gone") { postId } }`,
			Counts: Counts{"ana.postCount": -1, "ana.postDeletedCount": 1, "gone.onymousLikeCount": -fans, "ana.cardCount": -1}})
		w.Play(Scenario{As: "fan204", Query: `{ self { onymouslyLikedPosts { items { postId } } anonymouslyLikedPosts { items { postId } } } }`,
			Want: `{"self":{"onymouslyLikedPosts":{"items":[]},"anonymouslyLikedPosts":{"items":[{"postId":"kept"}]}}}`})
	})
}

// Likes of a deleted post that have not been removed yet do not affect a new post with the
// same id.
func TestLikesOfAnEarlierPostAreNoneOfANewOne(t *testing.T) {
	Test(t, Users("ana", "ben", "cem").Post("ana", "p1").Like("ben", "p1"), func(w *World) {
		disarm := w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal).In("test-main"))
		w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		if !disarm() {
			w.T.Fatal("the likes were removed without a query")
		}
		w.Must("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "new") { postId } }`)
		w.Must("cem", `mutation { anonymouslyLikePost(postId: "p1") { postId } }`)
		w.Compare("", w.Must("ben", `{ post(postId: "p1") { likeStatus } }`).Data, `{"post":{"likeStatus":"NOT_LIKED"}}`)
		if a := w.Ask(
			"ben",
			`mutation { dislikePost(postId: "p1") { postId } }`,
		); len(a.Errors) != 1 ||
			a.Errors[0].Message != "ClientError: User has not liked post `p1`, thus cannot dislike it" {
			w.T.Errorf("a like of the earlier post is taken back: %v", a)
		}
		w.Settle()
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount } }`, Want: `{"post":{"onymousLikeCount":0,"anonymousLikeCount":1}}`})
	})
}

func TestNothingIsLeftOfAPostDeletedWhilePeopleLikeIt(t *testing.T) {
	const fans = 12
	given := Users("ana").Post("ana", "p1")
	for i := range fans {
		given = given.Users(fmt.Sprint("fan", i))
	}
	Test(t, given, func(w *World) {
		w.Together(fans+1, func(i int) {
			if i == fans {
				w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
				return
			}
			for range 20 {
				for _, mutation := range []string{"onymouslyLikePost", "dislikePost"} {
					// The like may be missing just before the post is.
					a := w.Ask(fmt.Sprint("fan", i), `mutation { `+mutation+`(postId: "p1") { postId } }`)
					if len(a.Errors) > 0 && a.Errors[0].Message != "ClientError: Post `p1` does not exist" &&
						a.Errors[0].Message != "ClientError: User has not liked post `p1`, thus cannot dislike it" {
						w.T.Errorf("fan %d: %v", i, a.Errors)
					}
				}
			}
		})
		w.Settle()
		for name := range w.Counters() {
			if name == "p1.onymousLikeCount" {
				w.T.Error("likes of a deleted post are counted")
			}
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}
