package comment_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// The response of addComment shows the comment; the next request no longer finds it
// (chats 0.5, 0.8#3, 1.7 and 1.8#7, service E4).
func TestBadWordsInComments(t *testing.T) {
	const bad = `mutation { addComment(commentId: "c1", postId: "p1", text: "a uoiFZP8bjS here") { text viewedStatus } }`
	const shown = `{"addComment":{"text":"a uoiFZP8bjS here","viewedStatus":"VIEWED"}}`
	given := Users("ana", "ben").Post("ana", "p1")
	gone := Counts{
		"p1.commentCount":                0,
		"p1.commentsUnviewedCount":       0,
		"ben.commentCount":               0,
		"ben.commentDeletedCount":        1,
		"ben.commentForcedDeletionCount": 1,
		"ana.cardCount":                  0,
	}
	stays := Counts{"p1.commentCount": 1, "p1.commentsUnviewedCount": 1, "ben.commentCount": 1, "ana.cardCount": 1}
	const look = `{ post(postId: "p1") { commentsCount comments { items { commentId } } } }`
	none := []Scenario{{As: "ben", Query: look, Want: `{"post":{"commentsCount":0,"comments":{"items":[]}}}`}}
	Run(t, []Scenario{
		{Name: "by a stranger", Adds: true, Given: given, As: "ben", Query: bad, Want: shown, Counts: gone, Events: Events{"comment.added": 1, "comment.deleted": 1}, Then: none},
		{Name: "by a follower", Adds: true, Given: given.Follow("ben", "ana"), As: "ben", Query: bad, Want: shown, Counts: gone, Then: none},
		{Name: "by whom the owner follows", Adds: true, Given: given.Follow("ana", "ben"), As: "ben", Query: bad, Want: shown, Counts: gone, Then: none},
		{Name: "by somebody with whom it is mutual", Given: given.Follow("ana", "ben").Follow("ben", "ana"), As: "ben", Query: bad, Want: shown, Counts: stays},
		{Name: "by the owner", Adds: true, Given: given.Follow("ana", "ben").Follow("ben", "ana"), As: "ana", Query: bad, Want: shown,
			Counts: Counts{"p1.commentCount": 0, "ana.commentDeletedCount": 1, "ana.commentForcedDeletionCount": 1}, Then: none},
		{
			Name:   "with a comma behind it",
			Given:  given,
			As:     "ben",
			Query:  `mutation { addComment(commentId: "c1", postId: "p1", text: "a uoiFZP8bjS, here") { commentId } }`,
			Counts: stays,
		},
	})
}
