package like_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

const likeP1 = `mutation { onymouslyLikePost(postId: "p1") { likeStatus onymousLikeCount } }`

// posts 24.25: who may like which posts; later tests cover the removal of likes
func TestLikePost(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "shown to the owner", Given: given, As: "ben", Query: likeP1, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null}}`,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount onymouslyLikedBy { items { username } } likeStatus } }`,
					Want:  `{"post":{"onymousLikeCount":1,"anonymousLikeCount":0,"onymouslyLikedBy":{"items":[{"username":"ben"}]},"likeStatus":"NOT_LIKED"}}`,
				},
				{
					As:    "ben",
					Query: `{ self { onymouslyLikedPosts { items { postId likeStatus } } } }`,
					Want:  `{"self":{"onymouslyLikedPosts":{"items":[{"postId":"p1","likeStatus":"ONYMOUSLY_LIKED"}]}}}`,
				},
			}},
		{Name: "without showing it", Given: given, As: "ben", Query: `mutation { anonymouslyLikePost(postId: "p1") { likeStatus onymouslyLikedBy { nextToken } } }`,
			Want: `{"anonymouslyLikePost":{"likeStatus":"ANONYMOUSLY_LIKED","onymouslyLikedBy":null}}`,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "p1") { onymousLikeCount anonymousLikeCount onymouslyLikedBy { items { username } } } }`,
					Want:  `{"post":{"onymousLikeCount":0,"anonymousLikeCount":1,"onymouslyLikedBy":{"items":[]}}}`,
				},
				{
					As:    "ben",
					Query: `{ self { onymouslyLikedPosts { items { postId } } anonymouslyLikedPosts { items { postId } } } }`,
					Want:  `{"self":{"onymouslyLikedPosts":{"items":[]},"anonymouslyLikedPosts":{"items":[{"postId":"p1"}]}}}`,
				},
			}},
		{Name: "one's own", Given: given, As: "ana", Query: likeP1, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":1}}`},
		{Name: "twice in either way", Given: given.Like("ben", "p1"), As: "ben", Query: `mutation { anonymouslyLikePost(postId: "p1") { postId } }`,
			Error: "ClientError: User `{ben}` has already liked post `p1`"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { onymouslyLikePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
		{Name: "of whoever blocks the caller", Given: given.Block("ana", "ben"), As: "ben", Query: likeP1, Error: "ClientError: User has been blocked by owner of post `p1`"},
		{Name: "of whom the caller blocks", Given: given.Block("ben", "ana"), As: "ben", Query: likeP1, Error: "ClientError: User has blocked owner of post `p1`"},
		{Name: "of a private user", Given: Users("ana!private", "ben").Post("ana", "p1"), As: "ben", Query: likeP1, Error: "ClientError: User does not have access to post `p1`"},
		{Name: "of a private user who was asked", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana"), As: "ben", Query: likeP1,
			Error: "ClientError: User does not have access to post `p1`"},
		{Name: "of a private user who denied", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana").Deny("ana", "ben"), As: "ben", Query: likeP1,
			Error: "ClientError: User does not have access to post `p1`"},
		{Name: "of a private user, by a follower", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana").Accept("ana", "ben"), As: "ben", Query: likeP1,
			Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null}}`, Counts: Counts{"p1.onymousLikeCount": 1, "ana.cardCount": 1}},
		{Name: "no id", Given: given, As: "ben", Query: `mutation { onymouslyLikePost(postId: "no/id") { postId } }`, Error: "ClientError: Post `no/id` does not exist"},
		{Name: "an archived post", Given: given.Archived("ana", "p1"), As: "ben", Query: likeP1, Error: "ClientError: Cannot like posts with status `ARCHIVED`"},
		{Name: "one's own archived post", Given: given.Archived("ana", "p1"), As: "ana", Query: likeP1, Error: "ClientError: Cannot like posts with status `ARCHIVED`"},
		{
			Name:  "likes off for the post, the owner too",
			Given: given.EditPost("ana", "p1", `likesDisabled: true`),
			As:    "ana",
			Query: likeP1,
			Error: "ClientError: Likes are disabled for this post `p1`",
		},
		{
			Name:  "likes off for the owner",
			Given: given.Details("ana", `likesDisabled: true`),
			As:    "ben",
			Query: likeP1,
			Error: "ClientError: Owner of this post (user `{ana}` has disabled likes",
		},
		{Name: "likes off for the caller", Given: given.Details("ben", `likesDisabled: true`), As: "ben", Query: likeP1, Error: "ClientError: Caller `{ben}` has disabled likes"},
	})
}

// A like is decided again after a conflict.
func TestLikePostDecidesAgain(t *testing.T) {
	given := Users("ana", "ben").Follow("ben", "ana").Post("ana", "p1")
	Run(t, []Scenario{
		{
			Name:      "denied by an owner who is private now",
			Given:     Users("ana", "ben").Post("ana", "p1").Follow("ben", "ana"),
			Meanwhile: Given{}.Details("ana", "privacyStatus: PRIVATE").Deny("ana", "ben"),
			As:        "ben",
			Query:     `mutation { onymouslyLikePost(postId: "p1") { postId } }`,
			Error:     "ClientError: User does not have access to post `p1`",
			Then:      []Scenario{{As: "ana", Query: `{ post(postId: "p1") { onymousLikeCount } }`, Want: `{"post":{"onymousLikeCount":0}}`}},
		},
		{Name: "the post was deleted", Given: given, Meanwhile: Given{}.DeletePost("ana", "p1"), As: "ben", Query: likeP1, Error: "ClientError: Post `p1` does not exist",
			Counts: Counts{"ana.postCount": -1, "ana.postDeletedCount": 1}, Events: Events{"post.moved": 1}},
		{Name: "likes were switched off", Given: given, Meanwhile: Given{}.EditPost("ana", "p1", `likesDisabled: true`), As: "ben", Query: likeP1,
			Error: "ClientError: Likes are disabled for this post `p1`"},
		{Name: "the owner blocked the liker", Given: given, Meanwhile: Given{}.Block("ana", "ben"), As: "ben", Query: likeP1,
			Error: "ClientError: User has been blocked by owner of post `p1`", Counts: Counts{"p1.onymousLikeCount": 0}},
		{Name: "the liker blocked the owner", Given: given, Meanwhile: Given{}.Block("ben", "ana"), As: "ben", Query: likeP1,
			Error: "ClientError: User has blocked owner of post `p1`", Counts: Counts{"p1.onymousLikeCount": 0}},
		{Name: "the follow of a private user ended", Given: Users("ana!private", "ben").Follow("ben", "ana").Accept("ana", "ben").Post("ana", "p1"),
			Meanwhile: Given{}.Unfollow("ben", "ana"), As: "ben", Query: likeP1, Error: "ClientError: User does not have access to post `p1`",
			Counts: Counts{"ben.followedCount": -1, "ana.followerCount": -1}, Events: Events{"follow.moved": 1}},
		{Name: "the follow of a public user ended", Given: given, Meanwhile: Given{}.Unfollow("ben", "ana"), As: "ben", Query: likeP1,
			Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED","onymousLikeCount":null}}`},
		{Name: "the liker liked it from elsewhere", Given: given, Meanwhile: Given{}.LikeSecretly("ben", "p1"), As: "ben", Query: likeP1,
			Error: "ClientError: User `{ben}` has already liked post `p1`", Counts: Counts{"p1.anonymousLikeCount": 1, "ana.cardCount": 1}, Events: Events{"post.liked": 0}},
	})
}

func TestOneOfManyLikesOfAUserCounts(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1"), func(w *World) {
		for _, c := range []struct {
			queries [2]string
			lost    string
		}{
			{[2]string{`mutation { onymouslyLikePost(postId: "p1") { postId } }`, `mutation { anonymouslyLikePost(postId: "p1") { postId } }`},
				"ClientError: User `{ben}` has already liked post `p1`"},
			{[2]string{`mutation { dislikePost(postId: "p1") { postId } }`, `mutation { dislikePost(postId: "p1") { postId } }`},
				"ClientError: User has not liked post `p1`, thus cannot dislike it"},
		} {
			var won atomic.Int64
			w.Together(8, func(i int) {
				a := w.Ask("ben", c.queries[i%2])
				if len(a.Errors) == 0 {
					won.Add(1)
				} else if got := w.People.Name(a.Errors[0].Message); got != c.lost {
					w.T.Errorf("refused with %q, want %q", got, c.lost)
				}
			})
			if won.Load() != 1 {
				w.T.Errorf("%d succeeded, want 1", won.Load())
			}
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// A like is dated no earlier than its post, even if the clock is behind.
func TestNoLikeComesBeforeItsPost(t *testing.T) {
	Test(t, Users("ana", "ben").And(apptest.Later(time.Hour)).Post("ana", "p1").And(apptest.Later(-time.Hour)).Like("ben", "p1"), func(w *World) {
		w.Play(
			Scenario{
				As:     "ben",
				Query:  `mutation { dislikePost(postId: "p1") { likeStatus } }`,
				Want:   `{"dislikePost":{"likeStatus":"NOT_LIKED"}}`,
				Counts: Counts{"p1.onymousLikeCount": -1},
			},
		)
	})
}

func TestDislikePost(t *testing.T) {
	const dislike = `mutation { dislikePost(postId: "p1") { likeStatus onymousLikeCount } }`
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "takes it back", Given: given.Like("ana", "p1"), As: "ana", Query: dislike, Want: `{"dislikePost":{"likeStatus":"NOT_LIKED","onymousLikeCount":0}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { onymouslyLikedBy { items { userId } } } }`, Want: `{"post":{"onymouslyLikedBy":{"items":[]}}}`}}},
		{Name: "the like was one of another kind meanwhile", Given: given.Like("ana", "p1"), Meanwhile: Given{}.Dislike("ana", "p1").LikeSecretly("ana", "p1"),
			As: "ana", Query: `mutation { dislikePost(postId: "p1") { likeStatus onymousLikeCount anonymousLikeCount } }`,
			Want: `{"dislikePost":{"likeStatus":"NOT_LIKED","onymousLikeCount":0,"anonymousLikeCount":0}}`, Counts: Counts{"p1.onymousLikeCount": -1}},
		{Name: "no like", Given: given, As: "ben", Query: dislike, Error: "ClientError: User has not liked post `p1`, thus cannot dislike it"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { dislikePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
		{Name: "switches and lost sight do not matter", Given: given.Like("ben", "p1").EditPost("ana", "p1", `likesDisabled: true`).Details("ana", `privacyStatus: PRIVATE`),
			As: "ben", Query: `mutation { dislikePost(postId: "p1") { postId likeStatus postedBy { userId fullName } } }`, Want: `{"dislikePost":null}`},
	})
}

func TestLikers(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	for _, fan := range []string{"fan1", "fan2", "fan3"} {
		given = given.Users(fan, "secret"+fan).Like(fan, "p1").LikeSecretly("secret"+fan, "p1")
	}
	Test(t, given, func(w *World) {
		got := w.Pages("ana", `{ post(postId: "p1") { onymouslyLikedBy(limit: 2%s) { items { username } nextToken } } }`, "post", "onymouslyLikedBy")
		if want := `[{"username":"fan1"},{"username":"fan2"}] [{"username":"fan3"}]`; got != want {
			w.T.Errorf("pages = %s, want %s, the first first", got, want)
		}
	})
	const likers = `{ post(postId: "p1") { onymouslyLikedBy { items { username } } } }`
	Run(t, []Scenario{
		{Name: "another's", Given: given, As: "ben", Query: likers, Want: `{"post":{"onymouslyLikedBy":null}}`},
		{
			Name:  "one's own while likes are off for oneself",
			Given: given.Details("ana", `likesDisabled: true`),
			As:    "ana",
			Query: likers,
			Want:  `{"post":{"onymouslyLikedBy":null}}`,
		},
		{
			Name:  "one's own while likes are off for the post",
			Given: given.EditPost("ana", "p1", `likesDisabled: true`),
			As:    "ana",
			Query: likers,
			Want:  `{"post":{"onymouslyLikedBy":null}}`,
		},
		{Name: "a bad limit comes before privacy", Given: given, As: "ben", Query: `{ post(postId: "p1") { onymouslyLikedBy(limit: 0) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}

func TestLikedPosts(t *testing.T) {
	given := Users("ana", "pia!private", "ben").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3").Post("ana", "p4").
		Like("pia", "p1").Like("pia", "p2").LikeSecretly("pia", "p3").LikeSecretly("pia", "p4").Dislike("pia", "p1").Like("pia", "p1")
	const lists = `{ user(userId: "{pia}") { onymouslyLikedPosts { items { postId } } anonymouslyLikedPosts { items { postId } } } }`
	Run(t, []Scenario{
		{Name: "one's own, latest first", Given: given, As: "pia", Query: lists,
			Want: `{"user":{"onymouslyLikedPosts":{"items":[{"postId":"p1"},{"postId":"p2"}]},"anonymouslyLikedPosts":{"items":[{"postId":"p4"},{"postId":"p3"}]}}}`},
		{Name: "those of a private user", Given: given, As: "ben", Query: lists,
			Want: `{"user":{"onymouslyLikedPosts":{"items":[{"postId":"p1"},{"postId":"p2"}]},"anonymouslyLikedPosts":null}}`},
		{Name: "those of whoever blocks the viewer", Given: given.Block("pia", "ben"), As: "ben", Query: lists,
			Want: `{"user":{"onymouslyLikedPosts":null,"anonymouslyLikedPosts":null}}`},
		{Name: "a bad limit comes before privacy", Given: given, As: "ben", Query: `{ user(userId: "{pia}") { anonymouslyLikedPosts(limit: 101) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
	Test(t, given, func(w *World) {
		var first struct {
			Self struct{ OnymouslyLikedPosts struct{ NextToken string } }
		}
		if err := json.Unmarshal(w.Must("pia", `{ self { onymouslyLikedPosts(limit: 1) { nextToken } } }`).Data, &first); err != nil {
			w.T.Fatal(err)
		}
		w.Play(Scenario{As: "pia", Query: fmt.Sprintf(`{ self { anonymouslyLikedPosts(nextToken: %q) { nextToken } } }`, first.Self.OnymouslyLikedPosts.NextToken),
			Error: "ClientError: nextToken is not from this list: leave it out to start from the first page"})
	})
}
