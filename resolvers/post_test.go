package resolvers_test

import (
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

var onePost = Events{"post.moved": 1}

func TestAddPost(t *testing.T) {
	Run(t, []Scenario{
		{Name: "a text is complete at once", Given: Users("ana", "ben").Follow("ben", "ana"),
			As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "hi @ben and @ben. and @nobody", keywords: ["b", "a", "b"]) {
				postId postedAt postType postStatus text keywords commentsDisabled likesDisabled sharingDisabled verificationHidden likeStatus viewedStatus flagStatus ` +
				`onymousLikeCount anonymousLikeCount commentsCount
				postedBy { userId followedStatus } textTaggedUsers { tag user { username followerStatus } } } }`,
			Want: `{"addPost":{"postId":"p1","postedAt":"2026-01-01T12:00:04.000Z","postType":"TEXT_ONLY","postStatus":"COMPLETED","text":"hi @ben and @ben. and @nobody",` +
				`"keywords":["b","a"],
				"commentsDisabled":false,"likesDisabled":true,"sharingDisabled":false,"verificationHidden":false,"likeStatus":"NOT_LIKED","viewedStatus":"VIEWED",` +
				`"flagStatus":"NOT_FLAGGED","onymousLikeCount":0,"anonymousLikeCount":0,"commentsCount":0,
				"postedBy":{"userId":"{ana}","followedStatus":"SELF"},"textTaggedUsers":[{"tag":"@ben","user":{"username":"ben","followerStatus":"FOLLOWING"}}]}}`,
			Events: onePost,
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ self { feed { items { postId viewedStatus postedBy { username followedStatus } onymousLikeCount verificationHidden } } } }`,
					Want: `{"self":{"feed":{"items":[{"postId":"p1","viewedStatus":"NOT_VIEWED","postedBy":{"username":"ana","followedStatus":"FOLLOWING"},` +
						`"onymousLikeCount":null,"verificationHidden":null}]}}}`,
				},
				{As: "ana", Query: `{ self { postCount feed { items { postId } } } }`, Want: `{"self":{"postCount":1,"feed":{"items":[{"postId":"p1"}]}}}`},
			}},
		{Name: "settings are defaults, arguments win", Given: Users("ana").Details("ana", `likesDisabled: false, commentsDisabled: true, sharingDisabled: true`),
			As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", ` +
				`sharingDisabled: false) { likesDisabled commentsDisabled sharingDisabled commentsCount comments { nextToken } } }`,
			Want: `{"addPost":{"likesDisabled":false,"commentsDisabled":true,"sharingDisabled":false,"commentsCount":null,"comments":null}}`, Events: onePost},
		{Name: "without text", Given: Users("ana"), As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "") { postId } }`,
			Error: "ClientError: Cannot add text-only post without text"},
		{
			Name:  "with an image",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", imageInput: {takenInReal: false}) { postId } }`,
			Error: "ClientError: Cannot add text-only post with ImageInput",
		},
		{Name: "for a photo", Given: Users("ana"), As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", setAsUserPhoto: true) { postId } }`,
			Error: "ClientError: Cannot add text-only post with setAsUserPhoto"},
		{
			Name:   "with an image of which nothing is said",
			Given:  Users("ana"),
			As:     "ana",
			Query:  `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", setAsUserPhoto: false, imageInput: {imageData: null}) { postId } }`,
			Want:   `{"addPost":{"postId":"p1"}}`,
			Events: onePost,
		},
		{Name: "an id in use", Given: Users("ana", "ben").Post("ben", "p1"), As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "mine") { postId } }`,
			Error: "ClientError: Post `p1` duplicated",
			Then: []Scenario{{As: "ana", Query: `{ self { postCount } post(postId: "p1") { text postedBy { username } } }`,
				Want: `{"self":{"postCount":0},"post":{"text":"text of p1","postedBy":{"username":"ben"}}}`}}},
		{Name: "an id of no form", Given: Users("ana"), As: "ana", Query: `mutation { addPost(postId: "p 1/2", postType: TEXT_ONLY, text: "x") { postId } }`,
			Error: "ClientError: postId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
		{
			Name:  "a text too long to keep",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "` + strings.Repeat("x", 256<<10+1) + `") { postId } }`,
			Error: "ClientError: text is 262145 bytes long: shorten it to at most 262144",
		},
	})
}

func TestEditPost(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	Run(t, []Scenario{
		{
			Name:  "text and its mentions",
			Given: given,
			As:    "ana",
			Query: `mutation { editPost(postId: "p1", text: "now @ben", keywords: []) { text keywords textTaggedUsers { tag } postedAt } }`,
			Want:  `{"editPost":{"text":"now @ben","keywords":[],"textTaggedUsers":[{"tag":"@ben"}],"postedAt":"2026-01-01T12:00:03.000Z"}}`,
			Then:  []Scenario{{As: "ben", Query: `{ post(postId: "p1") { text } }`, Want: `{"post":{"text":"now @ben"}}`}},
		},
		{
			Name:  "switches",
			Given: given,
			As:    "ana",
			Query: `mutation { editPost(postId: "p1", likesDisabled: true, commentsDisabled: true) { text likesDisabled onymousLikeCount commentsCount } }`,
			Want:  `{"editPost":{"text":"text of p1","likesDisabled":true,"onymousLikeCount":null,"commentsCount":null}}`,
		},
		{Name: "nothing", Given: given, As: "ana", Query: `mutation { editPost(postId: "p1") { postId } }`, Error: "ClientError: Empty edit requested"},
		{
			Name:  "no text is no text post",
			Given: given,
			As:    "ana",
			Query: `mutation { editPost(postId: "p1", text: "") { postId } }`,
			Error: "ClientError: Cannot set text to null on text-only post",
		},
		{
			Name:  "somebody else's",
			Given: given,
			As:    "ben",
			Query: `mutation { editPost(postId: "p1", text: "x") { postId } }`,
			Error: "ClientError: Cannot edit another User's post",
		},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { editPost(postId: "p2", text: "x") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
	})
}

func TestDeletePost(t *testing.T) {
	given := Users("ana", "ben").Follow("ben", "ana").Post("ana", "p1").Post("ana", "p2").Comment("ben", "p1", "c1").Like("ben", "p1")
	Run(t, []Scenario{
		{Name: "with everything on it", Given: given, As: "ana", Query: `mutation { deletePost(postId: "p1") { postId postStatus } }`,
			Want: `{"deletePost":{"postId":"p1","postStatus":"DELETING"}}`, Events: onePost,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "p1") { postId } self { postCount posts { items { postId } } deleting: posts(postStatus: DELETING) { items { postId } } feed { items { postId } } } }`,
					Want:  `{"post":null,"self":{"postCount":1,"posts":{"items":[{"postId":"p2"}]},"deleting":{"items":[]},"feed":{"items":[{"postId":"p2"}]}}}`,
				},
				{
					As:    "ben",
					Query: `{ self { feed { items { postId } } onymouslyLikedPosts { items { postId } } } }`,
					Want:  `{"self":{"feed":{"items":[{"postId":"p2"}]},"onymouslyLikedPosts":{"items":[]}}}`,
				},
				{
					As:    "ben",
					Query: `mutation { addComment(commentId: "c1", postId: "p2", text: "the id is free again") { commentId } }`,
					Want:  `{"addComment":{"commentId":"c1"}}`,
				},
			}},
		{Name: "somebody else's", Given: given, As: "ben", Query: `mutation { deletePost(postId: "p1") { postId } }`, Error: "ClientError: Cannot delete another User's post"},
		{Name: "nothing there", Given: given, As: "ben", Query: `mutation { deletePost(postId: "p3") { postId } }`, Error: "ClientError: Post `p3` does not exist"},
	})
}

func TestPostsOfAUser(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2").ViewPost("ben", "p1").FlagPost("ben", "p2")
	Run(t, []Scenario{
		{
			Name:  "newest first, with the viewer's marks",
			Given: given,
			As:    "ben",
			Query: `{ user(userId: "{ana}") { posts { items { postId viewedStatus flagStatus likeStatus } nextToken } } }`,
			Want: `{"user":{"posts":{"items":[{"postId":"p2","viewedStatus":"NOT_VIEWED","flagStatus":"FLAGGED","likeStatus":"NOT_LIKED"},` +
				`{"postId":"p1","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED","likeStatus":"NOT_LIKED"}],"nextToken":null}}}`,
		},
		{
			Name:  "by type and by what was viewed",
			Given: given,
			As:    "ben",
			Query: `{ user(userId: "{ana}") { posts(postType: IMAGE) { items { postId } } viewed: posts { items(viewedStatus: VIEWED) { postId } } } }`,
			Want:  `{"user":{"posts":{"items":[]},"viewed":{"items":[{"postId":"p1"}]}}}`,
		},
		{Name: "in other statuses for oneself only", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { userId posts(postStatus: ARCHIVED) { nextToken } } }`,
			Error: "ClientError: May only retrieve COMPLETED posts of other users", Want: `{"user":{"userId":"{ana}","posts":null}}`},
		{
			Name:  "the owner's in other statuses",
			Given: given,
			As:    "ana",
			Query: `{ self { posts(postStatus: ARCHIVED) { items { postId } } } }`,
			Want:  `{"self":{"posts":{"items":[]}}}`,
		},
		{
			Name:  "a single post of nobody",
			Given: given,
			As:    "ana",
			Query: `{ a: post(postId: "p9") { postId } b: post(postId: "") { postId } c: post(postId: "no/form") { postId } }`,
			Want:  `{"a":null,"b":null,"c":null}`,
		},
		{Name: "a bad scalar", Given: given, As: "ana", Query: `{ self { posts(limit: "all") { nextToken } } }`, Want: `null`,
			Error: "Validation error of type WrongType: Int cannot represent non-integer value: \"all\""},
		{Name: "a page size beyond all bounds", Given: given, As: "ana", Query: `{ self { posts(limit: 2147483647) { nextToken } } }`, Want: `{"self":{"posts":null}}`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
		{Name: "users T6 no Int", Given: given, As: "ana", Query: `{ self { posts(limit: 2147483648) { nextToken } } }`, Want: `null`,
			Error: "Validation error of type WrongType: Int cannot represent non 32-bit signed integer value: 2147483648"},
	})
}

func TestFeedIsForOneself(t *testing.T) {
	Run(t, []Scenario{
		{
			Name:  "nobody else's",
			Given: Users("ana", "ben").Post("ana", "p1"),
			As:    "ben",
			Query: `{ user(userId: "{ana}") { feed { nextToken } anonymouslyLikedPosts { nextToken } } }`,
			Want:  `{"user":{"feed":null,"anonymouslyLikedPosts":null}}`,
		},
		{
			Name:  "own feed through one's own id",
			Given: Users("ana").Post("ana", "p1").Post("ana", "p2"),
			As:    "ana",
			Query: `{ user(userId: "{ana}") { feed(limit: 1) { items { postId } } } }`,
			Want:  `{"user":{"feed":{"items":[{"postId":"p2"}]}}}`,
		},
	})
}

func TestFeedIsPaged(t *testing.T) {
	Test(t, Users("ana").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3"), func(w *World) {
		got := w.Pages("ana", `{ self { feed(limit: 2%s) { items { postId } nextToken } } }`, "self", "feed")
		if want := `[{"postId":"p3"},{"postId":"p2"}] [{"postId":"p1"}]`; got != want {
			w.T.Errorf("pages = %s, want %s", got, want)
		}
	})
}
