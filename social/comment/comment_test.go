package comment_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

const commentP1 = `mutation { addComment(commentId: "c1", postId: "p1", text: " hi @ana ") { commentId commentedAt text viewedStatus flagStatus commentedBy { username ` +
	`followedStatus } textTaggedUsers { tag user { username } } } }`

// chats 0.2#4, 0.3#2,5, 1.1#7,16-17, 1.2#1-5,7, 1.5#7 and 1.8#1-2: the checks of a comment
// in their order, and what a new one counts.
func TestAddComment(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "by somebody else", Given: given, As: "ben", Query: commentP1, Counts: Counts{"p1.commentCount": 1, "p1.commentsUnviewedCount": 1, "ben.commentCount": 1},
			Want: `{"addComment":{"commentId":"c1","commentedAt":"2026-01-01T12:00:04.000Z","text":" hi @ana ` +
				`","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","commentedBy":{"username":"ben","followedStatus":"SELF"},` +
				`"textTaggedUsers":[{"tag":"@ana","user":{"username":"ana"}}]}}`,
			Then: []Scenario{
				{
					As: "ana",
					Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) old: commentsCount(viewedStatus: VIEWED) comments { items { commentId ` +
						`viewedStatus } } } }`,
					Want: `{"post":{"commentsCount":1,"new":1,"old":0,"comments":{"items":[{"commentId":"c1","viewedStatus":"NOT_VIEWED"}]}}}`,
				},
				{As: "ben", Query: `{ post(postId: "p1") { commentCount commentsCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"post":{"commentCount":1,"commentsCount":null}}`},
			}},
		{Name: "by the owner", Given: given, As: "ana", Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "") { text } }`, Want: `{"addComment":{"text":""}}`,
			Counts: Counts{"p1.commentCount": 1, "ana.commentCount": 1, "ana.commentsUnviewedCount": 0},
			Then: []Scenario{
				{As: "ana", Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"post":{"commentsCount":1,"new":0}}`},
			}},
		{
			Name:  "on nothing",
			Given: given,
			As:    "ben",
			Query: `mutation { addComment(commentId: "c1", postId: "p2", text: "x") { commentId } }`,
			Error: "ClientError: Post `p2` does not exist",
		},
		{
			Name:  "where comments are off, the owner too",
			Given: given.EditPost("ana", "p1", `commentsDisabled: true`),
			As:    "ana",
			Query: commentP1,
			Error: "ClientError: Comments are disabled on post `p1`",
		},
		{Name: "for whoever blocks the caller", Given: given.Block("ana", "ben"), As: "ben", Query: commentP1, Error: "ClientError: Post owner `{ana}` has blocked user `{ben}`"},
		{Name: "for whom the caller blocks", Given: given.Block("ben", "ana"), As: "ben", Query: commentP1, Error: "ClientError: User `{ben}` has blocked post owner `{ana}`"},
		{
			Name:  "for a private user",
			Given: Users("ana!private", "ben").Post("ana", "p1"),
			As:    "ben",
			Query: commentP1,
			Error: "ClientError: Post owner `{ana}` is private and user `{ben}` is not a follower",
		},
		{Name: "with an id in use", Given: given.Comment("ana", "p1", "c1"), As: "ben", Query: commentP1, Error: "ClientError: Comment `c1` already exists",
			Then: []Scenario{{As: "ben", Query: `{ post(postId: "p1") { commentsCount } }`, Want: `{"post":{"commentsCount":1}}`}}},
		{Name: "for a private user who was asked", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana"), As: "ben", Query: commentP1,
			Error: "ClientError: Post owner `{ana}` is private and user `{ben}` is not a follower"},
		{Name: "for a private user who denied", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana").Deny("ana", "ben"), As: "ben", Query: commentP1,
			Error: "ClientError: Post owner `{ana}` is private and user `{ben}` is not a follower"},
		{Name: "for a private user who is followed", Given: Users("ana!private", "ben").Post("ana", "p1").Follow("ben", "ana").Accept("ana", "ben"), As: "ben", Query: commentP1,
			Counts: Counts{"p1.commentCount": 1, "ben.commentCount": 1}},
		{Name: "on an archived post", Given: given.Archived("ana", "p1"), As: "ben", Query: commentP1, Counts: Counts{"p1.commentCount": 1, "ben.commentCount": 1}},
		{
			Name:  "on nothing, with an id in use",
			Given: given.Comment("ben", "p1", "c1"),
			As:    "ben",
			Query: `mutation { addComment(commentId: "c1", postId: "no/id", text: "x") { commentId } }`,
			Error: "ClientError: Post `no/id` does not exist",
		},
		{Name: "with an id of no form", Given: given, As: "ben", Query: `mutation { addComment(commentId: "c/1", postId: "p1", text: "x") { commentId } }`,
			Error: "ClientError: commentId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
		{Name: "with the longest text", Given: given, As: "ben", Query: longComment(social.MaxText), Want: `{"addComment":{"commentId":"c1"}}`},
		{Name: "with a text too long to keep", Given: given, As: "ben", Query: longComment(social.MaxText + 1),
			Error: "ClientError: text is 262145 bytes long: shorten it to at most 262144"},
		{Name: "with mentions, but of whoever blocks the author", Given: given.Users("cem").Block("cem", "ben"), As: "ben",
			Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "@ana @ben, @cem! @nobody @ana.") { textTaggedUsers { tag user { username } } } }`,
			Want:  `{"addComment":{"textTaggedUsers":[{"tag":"@ana","user":{"username":"ana"}},{"tag":"@ben","user":{"username":"ben"}}]}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { comments { items { textTaggedUsers { tag } } } } }`,
				Want: `{"post":{"comments":{"items":[{"textTaggedUsers":[{"tag":"@ana"},{"tag":"@ben"},{"tag":"@cem"}]}]}}}`}}},
		{Name: "before its post, by another clock", Given: Users("ana", "ben").And(apptest.Later(time.Hour)).Post("ana", "p1").And(apptest.Later(-time.Hour)), As: "ben",
			Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "x") { commentedAt } }`, Want: `{"addComment":{"commentedAt":"2026-01-01T13:00:03.000Z"}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { comments { items { commentId } } } }`, Want: `{"post":{"comments":{"items":[{"commentId":"c1"}]}}}`}}},
		{Name: "the post was deleted meanwhile", Given: given, Meanwhile: Given{}.DeletePost("ana", "p1"), As: "ben", Query: commentP1,
			Error: "ClientError: Post `p1` does not exist", Counts: Counts{"ben.commentCount": 0}},
		{Name: "comments were switched off meanwhile", Given: given, Meanwhile: Given{}.EditPost("ana", "p1", `commentsDisabled: true`), As: "ben", Query: commentP1,
			Error: "ClientError: Comments are disabled on post `p1`", Counts: Counts{"p1.commentCount": 0}},
		{Name: "the id was taken meanwhile", Given: given, Meanwhile: Given{}.Comment("ana", "p1", "c1"), As: "ben", Query: commentP1,
			Error: "ClientError: Comment `c1` already exists", Counts: Counts{"p1.commentCount": 1, "ana.commentCount": 1}},
		{Name: "without a text", Given: given, As: "ben", Query: `mutation { addComment(commentId: "c1", postId: "p1", text: null) { commentId } }`, Want: `null`,
			Error: "Validation error of type WrongType: Expected value of type \"String!\", found null."},
	})
}

func longComment(bytes int) string {
	return `mutation { addComment(commentId: "c1", postId: "p1", text: "` + strings.Repeat("x", bytes) + `") { commentId } }`
}

// chats 0.5#4: counters are exact, however quickly requests follow each other.
func TestManyCommentsAtOnceAllCount(t *testing.T) {
	const rivals = 16
	given := Users("ana").Post("ana", "p1")
	for i := range rivals {
		given = given.Users(fmt.Sprint("user", i))
	}
	Test(t, given, func(w *World) {
		w.Together(rivals, func(i int) {
			a := w.Ask(fmt.Sprint("user", i), fmt.Sprintf(`mutation { addComment(commentId: "c%d", postId: "p1", text: "x") { commentId } }`, i%(rivals/2)))
			if len(a.Errors) > 0 && !strings.HasSuffix(a.Errors[0].Message, "already exists") {
				w.T.Error(a.Errors)
			}
		})
		w.Settle()
		if c := w.Counters(); c["p1.commentCount"] != rivals/2 || c["p1.commentsUnviewedCount"] != rivals/2 {
			w.T.Errorf("%d comments are counted, %d of them unviewed, want %d: each id once", c["p1.commentCount"], c["p1.commentsUnviewedCount"], rivals/2)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// chats 1.4#1-4 and 1.8#3-4: author and owner of the post delete a comment, which lowers
// the counts.
func TestDeleteComment(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Comment("ben", "p1", "c1")
	const deleteC1 = `mutation { deleteComment(commentId: "c1") { commentId text } }`
	gone := []Scenario{
		{
			As:    "ana",
			Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) comments { items { commentId } } } }`,
			Want:  `{"post":{"commentsCount":0,"new":0,"comments":{"items":[]}}}`,
		},
	}
	Run(t, []Scenario{
		{Name: "by its author", Given: given, As: "ben", Query: deleteC1, Want: `{"deleteComment":{"commentId":"c1","text":"text of c1"}}`, Then: gone},
		{Name: "by the post's owner, comments off", Given: given, As: "ana", Query: deleteC1, Want: `{"deleteComment":{"commentId":"c1","text":"text of c1"}}`, Then: gone},
		{
			Name:   "counts",
			Given:  given,
			As:     "ben",
			Query:  deleteC1,
			Counts: Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": -1, "ben.commentCount": -1, "ben.commentDeletedCount": 1},
		},
		{Name: "a viewed one", Given: given.ViewPost("ana", "p1").Comment("ben", "p1", "late"), As: "ben", Query: deleteC1,
			Counts: Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": 0, "ben.commentCount": -1},
			Then: []Scenario{
				{
					As:     "ben",
					Query:  `mutation { deleteComment(commentId: "late") { commentId } }`,
					Counts: Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": -1, "ben.commentCount": -1},
				},
			}},
		{
			Name:      "the owner views it meanwhile, and another one comes",
			Given:     given,
			Meanwhile: Given{}.ViewPost("ana", "p1").Comment("ben", "p1", "late"),
			As:        "ben",
			Query:     deleteC1,
			Then: []Scenario{
				{As: "ana", Query: `{ post(postId: "p1") { commentsCount new: commentsCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"post":{"commentsCount":1,"new":1}}`},
			},
		},
		{
			Name:   "while comments are off",
			Given:  given.EditPost("ana", "p1", `commentsDisabled: true`),
			As:     "ana",
			Query:  deleteC1,
			Counts: Counts{"p1.commentCount": -1, "ben.commentCount": -1},
		},
		{Name: "answers with the comment as it was", Given: Users("ana", "ben").Post("ana", "p1").Comment("ben", "p1", "c1", "hi @ana"), As: "ana",
			Query: `mutation { deleteComment(commentId: "c1") { text textTaggedUsers { tag } flagStatus viewedStatus } }`,
			Want:  `{"deleteComment":{"text":"hi @ana","textTaggedUsers":[{"tag":"@ana"}],"flagStatus":"NOT_FLAGGED","viewedStatus":"NOT_VIEWED"}}`},
		{
			Name:  "an id of no form",
			Given: given,
			As:    "ben",
			Query: `mutation { deleteComment(commentId: "c/1") { commentId } }`,
			Error: "ClientError: No comment with id `c/1` found",
		},
		{Name: "by anybody else", Given: given, As: "cleo", Query: deleteC1, Error: "ClientError: User is not authorized to delete comment `c1`"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { deleteComment(commentId: "c2") { commentId } }`, Error: "ClientError: No comment with id `c2` found"},
	})
}

func TestOneOfManyDeletionsCounts(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1").Comment("ben", "p1", "kept").Comment("ben", "p1", "c1"), func(w *World) {
		var won atomic.Int64
		w.Together(8, func(i int) {
			a := w.Ask([]string{"ana", "ben"}[i%2], `mutation { deleteComment(commentId: "c1") { commentId } }`)
			if len(a.Errors) == 0 {
				won.Add(1)
			} else if a.Errors[0].Message != "ClientError: No comment with id `c1` found" {
				w.T.Error(a.Errors)
			}
		})
		if c := w.Counters(); won.Load() != 1 || c["p1.commentCount"] != 1 || c["p1.commentsUnviewedCount"] != 1 || c["ben.commentDeletedCount"] != 1 {
			w.T.Errorf("%d deletions succeeded, counters %v", won.Load(), c)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// chats 1.4#5: deleting a post deletes its comments.
func TestCommentsOnADeletedPost(t *testing.T) {
	const authors = 60
	given := Users("ana").Post("ana", "gone").Post("ana", "kept")
	counts := Counts{"gone.commentCount": -2 * authors}
	for i := range authors {
		by := fmt.Sprint("user", i)
		given = given.Users(by).Comment(by, "gone", "a"+by).Comment(by, "gone", "b"+by).Comment(by, "kept", "k"+by)
		counts[by+".commentCount"], counts[by+".commentDeletedCount"] = -2, 2
	}
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ana", Query: `mutation { deletePost(postId: "gone") { postId } }`, Counts: counts})
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "kept") { commentsCount } }`, Want: `{"post":{"commentsCount":60}}`})
	})
}

// Comments of a deleted post that have not been removed yet do not affect a new post with
// the same id.
func TestCommentsOnAnEarlierPostAreNoneOnANewOne(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1").Comment("ben", "p1", "old"), func(w *World) {
		disarm := w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal).In("test-main"))
		w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		if !disarm() {
			w.T.Fatal("nothing failed")
		}
		w.Must("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "new") { postId } }`)
		w.Must("ben", `mutation { addComment(commentId: "new", postId: "p1", text: "x") { commentId } }`)
		for range 2 {
			w.Compare("", w.Must("ana", `{ post(postId: "p1") { commentsCount comments { items { commentId } } } }`).Data,
				`{"post":{"commentsCount":1,"comments":{"items":[{"commentId":"new"}]}}}`)
			a := w.Ask("ana", `mutation { deleteComment(commentId: "old") { commentId } }`)
			if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: No comment with id `old` found" {
				w.T.Errorf("an old comment is deleted: %v", a.Errors)
			}
			w.Advance(time.Hour)
			w.Settle()
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

func TestNothingIsLeftOfAPostDeletedWhilePeopleComment(t *testing.T) {
	const rivals = 8
	given := Users("ana").Post("ana", "p1")
	for i := range rivals {
		given = given.Users(fmt.Sprint("user", i))
	}
	Test(t, given, func(w *World) {
		w.Together(rivals+1, func(i int) {
			if i == rivals {
				w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
				return
			}
			for n := range 20 {
				a := w.Ask(fmt.Sprint("user", i), fmt.Sprintf(`mutation { addComment(commentId: "c%d-%d", postId: "p1", text: "x") { commentId } }`, i, n))
				if len(a.Errors) > 0 && a.Errors[0].Message != "ClientError: Post `p1` does not exist" {
					w.T.Error(a.Errors)
				}
			}
		})
		w.Settle()
		for name, n := range w.Counters() {
			if strings.HasSuffix(name, ".commentCount") {
				w.T.Errorf("%s is %d after its post was deleted", name, n)
			}
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// chats 0.2#2,4, 0.6#4, 1.1#15,18 and 1.5#1-3: whose comments are listed, and in which
// order.
func TestComments(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Comment("ben", "p1", "c1").Comment("cleo", "p1", "c2").Comment("ana", "p1", "c3")
	Run(t, []Scenario{
		{
			Name:  "oldest first",
			Given: given,
			As:    "cleo",
			Query: `{ post(postId: "p1") { commentsDisabled comments { items { commentId commentedBy { username blockerStatus } } nextToken } ` +
				`reversed: comments(reverse: true, limit: 1) { items { commentId } } } }`,
			Want: `{"post":{"commentsDisabled":false,"comments":{"items":[{"commentId":"c1","commentedBy":{"username":"ben","blockerStatus":"NOT_BLOCKING"}},` +
				`{"commentId":"c2","commentedBy":{"username":"cleo","blockerStatus":"SELF"}},` +
				`{"commentId":"c3","commentedBy":{"username":"ana","blockerStatus":"NOT_BLOCKING"}}],"nextToken":null},"reversed":{"items":[{"commentId":"c3"}]}}}`,
		},
		{
			Name:  "without those of whoever blocks the viewer",
			Given: given.Block("ben", "cleo"),
			As:    "cleo",
			Query: `{ post(postId: "p1") { commentsCount comments { items { commentId } } } }`,
			Want:  `{"post":{"commentsCount":3,"comments":{"items":[{"commentId":"c2"},{"commentId":"c3"}]}}}`,
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ post(postId: "p1") { comments { items { commentId } } } }`,
					Want:  `{"post":{"comments":{"items":[{"commentId":"c1"},{"commentId":"c2"},{"commentId":"c3"}]}}}`,
				},
			},
		},
		{Name: "with the viewer's flags", Given: given.FlagComment("ben", "c2"), As: "ben", Query: `{ post(postId: "p1") { comments { items { commentId flagStatus } } } }`,
			Want: `{"post":{"comments":{"items":[{"commentId":"c1","flagStatus":"NOT_FLAGGED"},{"commentId":"c2","flagStatus":"FLAGGED"},{"commentId":"c3","flagStatus":"NOT_FLAGGED"}]}}}`,
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { comments { items { flagStatus } } } }`,
				Want: `{"post":{"comments":{"items":[{"flagStatus":"NOT_FLAGGED"},{"flagStatus":"NOT_FLAGGED"},{"flagStatus":"NOT_FLAGGED"}]}}}`}}},
		{
			Name:  "while comments are off",
			Given: given.EditPost("ana", "p1", `commentsDisabled: true`),
			As:    "ana",
			Query: `{ post(postId: "p1") { comments { nextToken } } }`,
			Want:  `{"post":{"comments":null}}`,
			Then: []Scenario{
				{As: "ana", Query: `{ post(postId: "p1") { comments(limit: 0) { nextToken } } }`, Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
			},
		},
		{Name: "viewed since", Given: given.ViewPost("cleo", "p1"), As: "cleo", Query: `{ post(postId: "p1") { comments { items { viewedStatus } } } }`,
			Want: `{"post":{"comments":{"items":[{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"}]}}}`},
	})
}

// chats 0.2#3: pages of comments continue where the one before ended.
func TestCommentsArePaged(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Comment("ben", "p1", "c1").Comment("ben", "p1", "c2").Comment("ana", "p1", "c3").Block("ben", "cleo")
	Test(t, given, func(w *World) {
		const list = `{ post(postId: "p1") { comments(limit: 2%s) { items { commentId } nextToken } } }`
		for name, want := range map[string]string{
			"ana":  `[{"commentId":"c1"},{"commentId":"c2"}] [{"commentId":"c3"}]`,
			"cleo": `[] [{"commentId":"c3"}]`, // what is left out is left out of a page
		} {
			if got := w.Pages(name, list, "post", "comments"); got != want {
				w.T.Errorf("%s sees pages %s, want %s", name, got, want)
			}
		}
	})
}

// chats 1.1#19-21: the owner's posts with unviewed comments, the latest comment first.
func TestPostsWithUnviewedComments(t *testing.T) {
	const lists = `{ self { postsWithUnviewedComments { items { postId hasNewCommentActivity } } postsByNewCommentActivity { items { postId } } } }`
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3")
	Run(t, []Scenario{
		{
			Name:  "latest comment first, those of the owner aside",
			Given: given.Comment("ben", "p2", "c1").Comment("ben", "p1", "c2").Comment("ana", "p3", "c3"),
			As:    "ana",
			Query: lists,
			Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p1","hasNewCommentActivity":true},{"postId":"p2","hasNewCommentActivity":true}]},` +
				`"postsByNewCommentActivity":{"items":[{"postId":"p1"},{"postId":"p2"}]}}}`,
			Then: []Scenario{
				{As: "ana", Query: `{ post(postId: "p3") { hasNewCommentActivity } }`, Want: `{"post":{"hasNewCommentActivity":false}}`},
				{As: "ana", Query: `mutation { deleteComment(commentId: "c2") { commentId } }`, Want: `{"deleteComment":{"commentId":"c2"}}`},
				{As: "ana", Query: `{ self { postsWithUnviewedComments { items { postId } } } }`, Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p2"}]}}}`},
			},
		},
		{Name: "of somebody else", Given: given.Comment("ben", "p2", "c1"), As: "ben",
			Query: `{ user(userId: "{ana}") { postsWithUnviewedComments { nextToken } postsByNewCommentActivity { nextToken } posts { items { hasNewCommentActivity } } } }`,
			Want: `{"user":{"postsWithUnviewedComments":null,"postsByNewCommentActivity":null,"posts":{"items":[{"hasNewCommentActivity":null},{"hasNewCommentActivity":null},` +
				`{"hasNewCommentActivity":null}]}}}`},
		{Name: "of a size", Given: given, As: "ana", Query: `{ self { postsWithUnviewedComments(limit: 0) { nextToken } } }`,
			Want: `{"self":{"postsWithUnviewedComments":null}}`, Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}
