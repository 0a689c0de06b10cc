package post_test

import (
	"fmt"
	"strings"
	"testing"

	. "stoa/social/socialtest"
	"stoa/store"
)

const deleteP1 = `mutation { deletePost(postId: "p1") { postStatus text likeStatus } }`

func TestDeleteRefuses(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	then := []Scenario{{As: "ben", Query: `{ post(postId: "p1") { postedBy { postCount } } }`, Want: `{"post":{"postedBy":{"postCount":1}}}`}}
	Run(t, []Scenario{
		{Name: "another's", Given: given, As: "ben", Query: deleteP1, Error: "ClientError: Cannot delete another User's post", Then: then},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { deletePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist", Then: then},
	})
}

func TestDeleteTakesThePostAndItsLikesAway(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2").Like("ana", "p1").Like("ben", "p1").Like("ana", "p2").Like("ben", "p2")
	Run(t, []Scenario{
		{
			Name:   "the answer is the post as it was",
			Given:  given,
			As:     "ana",
			Query:  deleteP1,
			Want:   `{"deletePost":{"postStatus":"DELETING","text":"text of p1","likeStatus":"ONYMOUSLY_LIKED"}}`,
			Counts: Counts{"ana.postCount": -1, "ana.postDeletedCount": 1},
			Events: Events{"post.moved": 1},
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "p1") { postId } self { posts(postStatus: DELETING) { items { postId } } } }`,
					Want:  `{"post":null,"self":{"posts":{"items":[]}}}`,
				},
				{
					As:    "ana",
					Query: `{ post(postId: "p2") { onymousLikeCount } self { onymouslyLikedPosts { items { postId } } } }`,
					Want:  `{"post":{"onymousLikeCount":2},"self":{"onymouslyLikedPosts":{"items":[{"postId":"p2"}]}}}`,
				},
				{As: "ana", Query: deleteP1, Error: "ClientError: Post `p1` does not exist"},
				{
					Name:  "the id can be used again",
					As:    "ben",
					Query: addText("p1", `text: "x"`, "text likeStatus onymousLikeCount"),
					Want:  `{"addPost":{"text":"x","likeStatus":"NOT_LIKED","onymousLikeCount":0}}`,
				},
			},
		},
	})
	Test(t, given.DeletePost("ana", "p1"), func(w *World) {
		left := map[any]int{}
		for _, row := range w.Rows()[store.Main.Name] {
			if strings.HasPrefix(fmt.Sprint(row["sortKey"]), "like/") {
				left[row["partitionKey"]]++
			}
		}
		if left["post/p1"] != 0 || left["post/p2"] != 2 {
			w.T.Errorf("likes left %v", left)
		}
	})
}

func TestDeleteCountsByStatus(t *testing.T) {
	Run(t, []Scenario{
		{
			Name:   "COMPLETED",
			Given:  Users("ana").Post("ana", "p1"),
			As:     "ana",
			Query:  deleteP1,
			Counts: Counts{"ana.postCount": -1, "ana.postDeletedCount": 1, "ana.postArchivedCount": 0},
		},
		{
			Name:   "ARCHIVED",
			Given:  Users("ana").Post("ana", "p1").Archive("ana", "p1"),
			As:     "ana",
			Query:  deleteP1,
			Counts: Counts{"ana.postCount": 0, "ana.postDeletedCount": 1, "ana.postArchivedCount": -1},
		},
		{
			Name:   "PENDING",
			Given:  Users("ana").Post("ana", "p1", `postType: IMAGE`),
			As:     "ana",
			Query:  deleteP1,
			Counts: Counts{"ana.postCount": 0, "ana.postDeletedCount": 1, "ana.postArchivedCount": 0},
		},
		{
			Name:   "ERROR",
			Given:  Users("ana").Does("ana", `mutation { addPost(postId: "p1", imageInput: {imageData: "%s"}) { postId } }`, Base64([]byte("<html>"))),
			As:     "ana",
			Query:  deleteP1,
			Counts: Counts{"ana.postCount": 0, "ana.postDeletedCount": 1, "ana.postArchivedCount": 0},
		},
		{Name: "archived meanwhile", Given: Users("ana").Post("ana", "p1"), Meanwhile: Given{}.Archive("ana", "p1"), As: "ana", Query: deleteP1,
			Counts: Counts{"ana.postCount": -1, "ana.postDeletedCount": 1, "ana.postArchivedCount": 0}, Events: Events{"post.moved": 2}},
	})
}

func TestOneOfManyDeletionsWins(t *testing.T) {
	const rivals = 8
	Test(t, Users("ana").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		w.TakeEvents()
		wantShifts(w, Counts{"ana.postCount": -1, "ana.postDeletedCount": 1}, func() {
			var refused [rivals]string
			w.Together(rivals, func(i int) {
				if a := w.Ask("ana", deleteP1); len(a.Errors) > 0 {
					refused[i] = a.Errors[0].Message
				}
			})
			won := 0
			for _, text := range refused {
				switch text {
				case "":
					won++
				case "ClientError: Post `p1` does not exist":
				default:
					w.T.Errorf("a loser got %q", text)
				}
			}
			if won != 1 {
				w.T.Errorf("%d deletions succeeded, want 1", won)
			}
			w.Settle()
		})
		if n := w.TakeEvents()["post.moved"]; n != 1 {
			w.T.Errorf("%d events, want 1", n)
		}
		wantNoProblems(w)
	})
}
