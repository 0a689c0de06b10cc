package resolvers_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const commentP1 = `mutation { addComment(commentId: "c1", postId: "p1", text: " hi @ana ") { commentId commentedAt text viewedStatus flagStatus commentedBy { username followedStatus } textTaggedUsers { tag user { username } } } }`

func TestAddComment(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "by somebody else", Given: given, As: "ben", Query: commentP1,
			Want: `{"addComment":{"commentId":"c1","commentedAt":"2026-01-01T12:00:04.000Z","text":" hi @ana ","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","commentedBy":{"username":"ben","followedStatus":"SELF"},"textTaggedUsers":[{"tag":"@ana","user":{"username":"ana"}}]}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) old: commentsCount(viewedStatus: VIEWED) comments { items { commentId viewedStatus } } } }`, Want: `{"post":{"commentsCount":1,"new":1,"old":0,"comments":{"items":[{"commentId":"c1","viewedStatus":"NOT_VIEWED"}]}}}`},
				{As: "ben", Query: `{ post(postId: "p1") { commentCount commentsCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"post":{"commentCount":1,"commentsCount":null}}`}}},
		{Name: "by the owner", Given: given, As: "ana", Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "") { text } }`, Want: `{"addComment":{"text":""}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"post":{"commentsCount":1,"new":0}}`}}},
		{Name: "on nothing", Given: given, As: "ben", Query: `mutation { addComment(commentId: "c1", postId: "p2", text: "x") { commentId } }`, Error: "ClientError: Post `p2` does not exist"},
		{Name: "where comments are off, the owner too", Given: given.EditPost("ana", "p1", `commentsDisabled: true`), As: "ana", Query: commentP1, Error: "ClientError: Comments are disabled on post `p1`"},
		{Name: "for whoever blocks the caller", Given: given.Block("ana", "ben"), As: "ben", Query: commentP1, Error: "ClientError: Post owner `{ana}` has blocked user `{ben}`"},
		{Name: "for whom the caller blocks", Given: given.Block("ben", "ana"), As: "ben", Query: commentP1, Error: "ClientError: User `{ben}` has blocked post owner `{ana}`"},
		{Name: "for a private user", Given: Users("ana!private", "ben").Post("ana", "p1"), As: "ben", Query: commentP1, Error: "ClientError: Post owner `{ana}` is private and user `{ben}` is not a follower"},
		{Name: "with an id in use", Given: given.Comment("ana", "p1", "c1"), As: "ben", Query: commentP1, Error: "ClientError: Comment `c1` already exists",
			Then: []Scenario{{As: "ben", Query: `{ post(postId: "p1") { commentsCount } }`, Want: `{"post":{"commentsCount":1}}`}}},
		{Name: "without a text", Given: given, As: "ben", Query: `mutation { addComment(commentId: "c1", postId: "p1", text: null) { commentId } }`, Want: `null`,
			Error: "Validation error of type WrongType: Expected value of type \"String!\", found null."},
	})
}

func TestDeleteComment(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Comment("ben", "p1", "c1")
	const deleteC1 = `mutation { deleteComment(commentId: "c1") { commentId text } }`
	gone := []Scenario{{As: "ana", Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) comments { items { commentId } } } }`, Want: `{"post":{"commentsCount":0,"new":0,"comments":{"items":[]}}}`}}
	Run(t, []Scenario{
		{Name: "by its author", Given: given, As: "ben", Query: deleteC1, Want: `{"deleteComment":{"commentId":"c1","text":"text of c1"}}`, Then: gone},
		{Name: "by the post's owner, comments off", Given: given, As: "ana", Query: deleteC1, Want: `{"deleteComment":{"commentId":"c1","text":"text of c1"}}`, Then: gone},
		{Name: "by anybody else", Given: given, As: "cleo", Query: deleteC1, Error: "ClientError: User is not authorized to delete comment `c1`"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { deleteComment(commentId: "c2") { commentId } }`, Error: "ClientError: No comment with id `c2` found"},
	})
}

func TestComments(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Comment("ben", "p1", "c1").Comment("cleo", "p1", "c2").Comment("ana", "p1", "c3")
	Run(t, []Scenario{
		{Name: "oldest first", Given: given, As: "cleo", Query: `{ post(postId: "p1") { comments { items { commentId commentedBy { username blockerStatus } } nextToken } reversed: comments(reverse: true, limit: 1) { items { commentId } } } }`,
			Want: `{"post":{"comments":{"items":[{"commentId":"c1","commentedBy":{"username":"ben","blockerStatus":"NOT_BLOCKING"}},{"commentId":"c2","commentedBy":{"username":"cleo","blockerStatus":"SELF"}},{"commentId":"c3","commentedBy":{"username":"ana","blockerStatus":"NOT_BLOCKING"}}],"nextToken":null},"reversed":{"items":[{"commentId":"c3"}]}}}`},
		{Name: "without those of whoever blocks the viewer", Given: given.Block("ben", "cleo"), As: "cleo", Query: `{ post(postId: "p1") { commentsCount comments { items { commentId } } } }`,
			Want: `{"post":{"commentsCount":3,"comments":{"items":[{"commentId":"c2"},{"commentId":"c3"}]}}}`,
			Then: []Scenario{{As: "ben", Query: `{ post(postId: "p1") { comments { items { commentId } } } }`, Want: `{"post":{"comments":{"items":[{"commentId":"c1"},{"commentId":"c2"},{"commentId":"c3"}]}}}`}}},
		{Name: "viewed since", Given: given.ViewPost("cleo", "p1"), As: "cleo", Query: `{ post(postId: "p1") { comments { items { viewedStatus } } } }`,
			Want: `{"post":{"comments":{"items":[{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"}]}}}`},
	})
}

func TestCommentsArePaged(t *testing.T) {
	Test(t, Users("ana").Post("ana", "p1").Comment("ana", "p1", "c1").Comment("ana", "p1", "c2").Comment("ana", "p1", "c3"), func(w *World) {
		got := w.Pages("ana", `{ post(postId: "p1") { comments(limit: 2%s) { items { commentId } nextToken } } }`, "post", "comments")
		if want := `[{"commentId":"c1"},{"commentId":"c2"}] [{"commentId":"c3"}]`; got != want {
			w.T.Errorf("pages = %s, want %s", got, want)
		}
	})
}

func TestPostsWithUnviewedComments(t *testing.T) {
	const lists = `{ self { postsWithUnviewedComments { items { postId hasNewCommentActivity } } postsByNewCommentActivity { items { postId } } } }`
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3")
	Run(t, []Scenario{
		{Name: "latest comment first, those of the owner aside", Given: given.Comment("ben", "p2", "c1").Comment("ben", "p1", "c2").Comment("ana", "p3", "c3"), As: "ana", Query: lists,
			Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p1","hasNewCommentActivity":true},{"postId":"p2","hasNewCommentActivity":true}]},"postsByNewCommentActivity":{"items":[{"postId":"p1"},{"postId":"p2"}]}}}`,
			Then: []Scenario{
				{As: "ana", Query: `{ post(postId: "p3") { hasNewCommentActivity } }`, Want: `{"post":{"hasNewCommentActivity":false}}`},
				{As: "ana", Query: `mutation { deleteComment(commentId: "c2") { commentId } }`, Want: `{"deleteComment":{"commentId":"c2"}}`},
				{As: "ana", Query: `{ self { postsWithUnviewedComments { items { postId } } } }`, Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p2"}]}}}`},
			}},
		{Name: "of somebody else", Given: given.Comment("ben", "p2", "c1"), As: "ben",
			Query: `{ user(userId: "{ana}") { postsWithUnviewedComments { nextToken } postsByNewCommentActivity { nextToken } posts { items { hasNewCommentActivity } } } }`,
			Want:  `{"user":{"postsWithUnviewedComments":null,"postsByNewCommentActivity":null,"posts":{"items":[{"hasNewCommentActivity":null},{"hasNewCommentActivity":null},{"hasNewCommentActivity":null}]}}}`},
		{Name: "of a size", Given: given, As: "ana", Query: `{ self { postsWithUnviewedComments(limit: 0) { nextToken } } }`,
			Want: `{"self":{"postsWithUnviewedComments":null}}`, Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}
