package card_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

const viewP1 = `mutation { reportPostViews(postIds: ["p1"]) }`

const myCards = `{ self { cardCount cards { items { cardId title subTitle action } nextToken } } }`

func heard(change, name, title string) string {
	return `{"onCardNotification":{"type":"` + change + `","card":{"cardId":"{ana}:` + name + `","title":"` + title + `"}}}`
}

// chats 0.2#2, 5.1#2-3, 5.2#6, 5.3#11,24: a new user has one card, seen by that user alone.
func TestCardsOfANewUser(t *testing.T) {
	Run(t, []Scenario{{
		Name: "exactly one, for a photo", Given: Users("ana", "ben"), As: "ana", Query: myCards,
		Want: `{"self":{"cardCount":1,"cards":{"items":[{"cardId":"{ana}:ADD_PROFILE_PHOTO","title":"Add a profile ` +
			`photo","subTitle":null,"action":"https://app.example/user/{ana}/settings/photo"}],"nextToken":null}}}`,
		Then: []Scenario{
			{As: "ben", Query: `{ user(userId: "{ana}") { cardCount cards { items { cardId } } } }`, Want: `{"user":{"cardCount":null,"cards":null}}`},
			{
				As:    "ana",
				Query: `{ self { cards(limit: 101) { items { cardId } } } }`,
				Want:  `{"self":{"cards":null}}`,
				Error: "ClientError: Limit cannot be less than 1 or greater than 100",
			},
		},
	}})
}

// chats 5.1#7-8, 5.2#4-5 and realtime 5#3: who can delete a card, and when it comes back.
func TestDeleteCard(t *testing.T) {
	const dismiss = `mutation { deleteCard(cardId: "{ana}:ADD_PROFILE_PHOTO") { cardId title } }`
	Run(t, []Scenario{
		{Name: "dismissed", Given: Users("ana").ListenToCards("ana"), As: "ana", Query: dismiss,
			Want:   `{"deleteCard":{"cardId":"{ana}:ADD_PROFILE_PHOTO","title":"Add a profile photo"}}`,
			Counts: Counts{"ana.cardCount": -1},
			Hears:  Hears{"ana": {heard("DELETED", "ADD_PROFILE_PHOTO", "Add a profile photo")}},
			Then: []Scenario{
				{As: "ana", Query: myCards, Want: `{"self":{"cardCount":0,"cards":{"items":[],"nextToken":null}}}`},
				{As: "ana", Query: dismiss, Error: "ClientError: No card with id `{ana}:ADD_PROFILE_PHOTO` found"},
			}},
		{Name: "somebody else's", Given: Users("ana", "ben"), As: "ben", Query: dismiss,
			Error: "ClientError: Caller `{ben}` does not own Card `{ana}:ADD_PROFILE_PHOTO`"},
		{Name: "triggers are closed", Given: Users("ana"), As: "ana",
			Query: `mutation { triggerCardNotification(input: {userId: "{ana}", type: ADDED, cardId: "c", title: "t", action: "a"}) { userId } }`,
			Error: "ClientError: Access denied", Code: "FORBIDDEN"},
	})
}

// users F17, chats 5.2#1-2,4, 5.3#8,21 and realtime 5#1-3: the card about follow requests
// follows their number.
func TestRequestedFollowers(t *testing.T) {
	given := Users("ana!private", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO")
	Run(t, []Scenario{
		{Name: "comes with the first request, is retitled by the next, goes with the last", Given: given.ListenToCards("ana"),
			As: "ben", Query: `mutation { followUser(userId: "{ana}") { followedStatus } }`,
			Counts: Counts{"ana.cardCount": 1, "ana.followersRequestedCount": 1},
			Hears:  Hears{"ana": {heard("ADDED", "REQUESTED_FOLLOWERS", "You have 1 pending follow request")}},
			Then: []Scenario{
				{As: "cleo", Query: `mutation { followUser(userId: "{ana}") { followedStatus } }`,
					Hears: Hears{"ana": {heard("EDITED", "REQUESTED_FOLLOWERS", "You have 2 pending follow requests")}}},
				{As: "ana", Query: `mutation { acceptFollowerUser(userId: "{ben}") { followerStatus } }`,
					Hears: Hears{"ana": {heard("EDITED", "REQUESTED_FOLLOWERS", "You have 1 pending follow request")}}},
				{As: "ana", Query: `mutation { denyFollowerUser(userId: "{cleo}") { followerStatus } }`,
					Counts: Counts{"ana.cardCount": -1, "ana.followersRequestedCount": -1},
					Hears:  Hears{"ana": {heard("DELETED", "REQUESTED_FOLLOWERS", "You have 1 pending follow request")}}},
			}},
		{Name: "a public user has no requests", Given: Users("ana", "ben").ListenToCards("ana"),
			As: "ben", Query: `mutation { followUser(userId: "{ana}") { followedStatus } }`, Hears: Hears{}},
	})
}

// chats 5.2#5,8-9, 5.3#2-4,15-17 and realtime 5#1,3: cards about comments, mentions and
// likes of a post come and go with these.
func TestCardsOfAPost(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1").ListenToCards("ana")
	const comment = `mutation { addComment(commentId: "c1", postId: "p1", text: "hi @ana and @cleo") { commentId } }`
	Run(t, []Scenario{
		{Name: "activity and a mention by a comment, none of which outlives it", Given: given, As: "ben", Query: comment,
			Hears: Hears{"ana": {heard("ADDED", "COMMENT_ACTIVITY:p1", "You have 1 new comment"), heard("ADDED", "COMMENT_MENTION:c1", "@ben mentioned you in a comment")}},
			Then: []Scenario{
				{As: "ana", Query: myCards, Want: `{"self":{"cardCount":2,"cards":{"items":[` +
					`{"cardId":"{ana}:COMMENT_MENTION:c1","title":"@ben mentioned you in a comment","subTitle":null,"action":"https://app.example/user/{ana}/post/p1/comments/c1"},` +
					`{"cardId":"{ana}:COMMENT_ACTIVITY:p1","title":"You have 1 new comment","subTitle":null,"action":"https://app.example/user/{ana}/post/p1/comments"}],"nextToken":null}}}`},
				{As: "ben", Query: `mutation { deleteComment(commentId: "c1") { commentId } }`,
					Counts: Counts{
						"ana.cardCount":            -2,
						"cleo.cardCount":           -1,
						"p1.commentCount":          -1,
						"p1.commentsUnviewedCount": -1,
						"ben.commentCount":         -1,
						"ben.commentDeletedCount":  1,
					},
					Hears: Hears{
						"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 1 new comment"), heard("DELETED", "COMMENT_MENTION:c1", "@ben mentioned you in a comment")},
					}},
			}},
		{
			Name:  "one's own comment is no activity",
			Given: given,
			As:    "ana",
			Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "hi") { commentId } }`,
			Hears: Hears{},
		},
		{Name: "likes, once", Given: given, As: "ben", Query: `mutation { onymouslyLikePost(postId: "p1") { postId } }`,
			Hears: Hears{"ana": {heard("ADDED", "POST_LIKES:p1", "You have new likes")}},
			Then: []Scenario{
				{As: "cleo", Query: `mutation { anonymouslyLikePost(postId: "p1") { postId } }`, Hears: Hears{}},
				{As: "cleo", Query: `mutation { dislikePost(postId: "p1") { postId } }`, Hears: Hears{}},
				{As: "ana", Query: `mutation { onymouslyLikePost(postId: "p1") { postId } }`, Hears: Hears{}},
				{As: "ana", Query: `mutation { deleteCard(cardId: "{ana}:POST_LIKES:p1") { cardId } }`},
				{As: "ana", Query: `mutation { dislikePost(postId: "p1") { postId } }`, // one like is left: a decrease counts
					Hears: Hears{"ana": {heard("ADDED", "POST_LIKES:p1", "You have new likes")}}},
				{As: "ben", Query: `mutation { dislikePost(postId: "p1") { postId } }`, Hears: Hears{}}, // and none takes nothing away
			}},
		{Name: "posts Q17 likes that go with an archived post are no news", Given: given.Like("ben", "p1").Like("cleo", "p1").DismissCard("ana", "POST_LIKES:p1"), As: "ana",
			Query: `mutation { archivePost(postId: "p1") { postStatus } }`, Hears: Hears{},
			Then: []Scenario{{As: "ana", Query: `{ self { cardCount } }`, Want: `{"self":{"cardCount":0}}`}}},
		{
			Name:  "a dismissed one does not come back when a viewed comment is deleted",
			Given: given.Comment("ben", "p1", "c1").ViewPost("ana", "p1").Comment("ben", "p1", "c2").DismissCard("ana", "COMMENT_ACTIVITY:p1"),
			As:    "ben",
			Query: `mutation { deleteComment(commentId: "c1") { commentId } }`,
			Hears: Hears{},
		},
		{Name: "mentioned by oneself in a comment", Given: given, As: "ana", Query: `mutation { addComment(commentId: "c1", postId: "p1", text: "@ana") { commentId } }`,
			Hears: Hears{"ana": {heard("ADDED", "COMMENT_MENTION:c1", "@ana mentioned you in a comment")}}},
		{Name: "all go with the post", Given: given.Comment("ben", "p1", "c1").Like("cleo", "p1"), As: "ana", Query: `mutation { deletePost(postId: "p1") { postStatus } }`,
			Hears: Hears{"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 1 new comment"), heard("DELETED", "POST_LIKES:p1", "You have new likes")}},
			Then:  []Scenario{{As: "ana", Query: `{ self { cardCount } }`, Want: `{"self":{"cardCount":0}}`}}},
		{Name: "with the last number", Given: given.Comment("ben", "p1", "c1").Comment("ben", "p1", "c2"), As: "ana",
			Query: `mutation { deletePost(postId: "p1") { postStatus } }`, Hears: Hears{"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 2 new comments")}}},
		{Name: "and with their user", Given: given.Comment("ben", "p1", "c1").Comment("ben", "p1", "c2"), As: "ana",
			Query: `mutation { resetUser { userId } }`, Hears: Hears{"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 2 new comments")}}},
	})
}

// chats 5.3#15 and realtime 5#2,3: the card for comments shows their number, which is stored
// with the post only.
func TestTheNumberOfComments(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1").Post("ana", "p2").
		Comment("ben", "p1", "c1").Comment("ben", "p2", "other").ListenToCards("ana")
	comment := func(by, id, title string) Scenario {
		return Scenario{As: by, Query: fmt.Sprintf(`mutation { addComment(commentId: %q, postId: "p1", text: "hi") { commentId } }`, id),
			Hears: Hears{"ana": {heard("EDITED", "COMMENT_ACTIVITY:p1", title)}}}
	}
	shown := func(title string) Scenario {
		return Scenario{As: "ana", Query: `{ self { cards { items { title } } } }`,
			Want: fmt.Sprintf(`{"self":{"cards":{"items":[{"title":"You have 1 new comment"},{"title":%q}]}}}`, title)}
	}
	first := comment("ben", "c2", "You have 2 new comments")
	first.Given = given
	first.Then = []Scenario{
		shown("You have 2 new comments"),
		{As: "ana", Query: `mutation { addComment(commentId: "own", postId: "p1", text: "hi") { commentId } }`, Hears: Hears{}},
		comment("cleo", "c3", "You have 3 new comments"),
		{As: "ben", Query: `mutation { deleteComment(commentId: "c2") { commentId } }`,
			Hears: Hears{"ana": {heard("EDITED", "COMMENT_ACTIVITY:p1", "You have 2 new comments")}}},
		shown("You have 2 new comments"),
		{As: "ana", Query: `mutation { deleteCard(cardId: "{ana}:COMMENT_ACTIVITY:p1") { title } }`, Want: `{"deleteCard":{"title":"You have 2 new comments"}}`,
			Hears: Hears{"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 2 new comments")}}},
		{As: "cleo", Query: `mutation { addComment(commentId: "c4", postId: "p1", text: "hi") { commentId } }`,
			Hears: Hears{"ana": {heard("ADDED", "COMMENT_ACTIVITY:p1", "You have 3 new comments")}}},
		{As: "ana", Query: viewP1, Hears: Hears{"ana": {heard("DELETED", "COMMENT_ACTIVITY:p1", "You have 3 new comments")}}},
	}
	Run(t, []Scenario{first})
}

// The card for likes is shown for posts with one to nine of them.
// chats 5.2#5, 5.3#17
func TestManyLikesAreNoNews(t *testing.T) {
	given := Users("ana").DismissCard("ana", "ADD_PROFILE_PHOTO").Post("ana", "p1")
	for _, name := range []string{"u01", "u02", "u03", "u04", "u05", "u06", "u07", "u08", "u09", "u10"} {
		given = given.Users(name)
		if name < "u09" {
			given = given.Like(name, "p1")
		}
	}
	given = given.DismissCard("ana", "POST_LIKES:p1").ListenToCards("ana")
	const like, dislike = `mutation { onymouslyLikePost(postId: "p1") { postId } }`, `mutation { dislikePost(postId: "p1") { postId } }`
	Run(t, []Scenario{{
		Name: "the ninth", Given: given, As: "u09", Query: like, Hears: Hears{"ana": {heard("ADDED", "POST_LIKES:p1", "You have new likes")}},
		Then: []Scenario{
			{As: "ana", Query: `mutation { deleteCard(cardId: "{ana}:POST_LIKES:p1") { cardId } }`},
			{As: "u10", Query: like, Hears: Hears{}},
			{As: "u10", Query: dislike, Hears: Hears{"ana": {heard("ADDED", "POST_LIKES:p1", "You have new likes")}}},
		},
	}})
}

// chats 5.3#5,18: each new tag in a post makes a card.
func TestPostMentions(t *testing.T) {
	given := Users("ana", "ben", "cleo").DismissCard("ana", "ADD_PROFILE_PHOTO").ListenToCards("ana")
	mention := heard("ADDED", "POST_MENTION:p1", "@ben tagged you in a post")
	const edit = `mutation { editPost(postId: "p1", text: "%s") { postId } }`
	Run(t, []Scenario{
		{Name: "in a new post", Given: given, As: "ben", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "@ana and @ana and @nobody") { postId } }`,
			Counts: Counts{"ana.cardCount": 1, "ben.postCount": 1}, Hears: Hears{"ana": {mention}},
			Then: []Scenario{
				{
					As:    "ana",
					Query: myCards,
					Want: `{"self":{"cardCount":1,"cards":{"items":[{"cardId":"{ana}:POST_MENTION:p1","title":"@ben tagged you in a ` +
						`post","subTitle":null,"action":"https://app.example/user/{ben}/post/p1"}],"nextToken":null}}}`,
				},
				{As: "ana", Query: `mutation { deleteCard(cardId: "{ana}:POST_MENTION:p1") { cardId } }`},
				{As: "ben", Query: fmt.Sprintf(edit, "still @ana"), Hears: Hears{}},
				{As: "ben", Query: fmt.Sprintf(edit, "nobody"), Hears: Hears{}},
				{As: "ben", Query: fmt.Sprintf(edit, "again @ana"), Hears: Hears{"ana": {mention}}},
				{As: "ben", Query: fmt.Sprintf(edit, "nobody"), Hears: Hears{}}, // untagging keeps the card
				{As: "ana", Query: `{ self { cardCount } }`, Want: `{"self":{"cardCount":1}}`},
				{As: "ben", Query: `mutation { deletePost(postId: "p1") { postId } }`, Hears: Hears{"ana": {heard("DELETED", "POST_MENTION:p1", "@ben tagged you in a post")}}},
			}},
		{Name: "by an edit", Given: given.Post("ben", "p1"), As: "ben", Query: fmt.Sprintf(edit, "hi @ana"), Hears: Hears{"ana": {mention}}},
		{Name: "by oneself", Given: given, As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "@ana") { postId } }`,
			Hears: Hears{"ana": {heard("ADDED", "POST_MENTION:p1", "@ana tagged you in a post")}}},
	})
}
