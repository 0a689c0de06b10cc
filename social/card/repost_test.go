package card_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// The owner of an image gets a card when anyone, including themselves,
// posts it again. The card is deleted with the repost, or when that is viewed; viewing the
// original keeps it.
// chats 5.2#7, 5.3#6,19
func TestReposts(t *testing.T) {
	given := Users("ana", "ben").DismissCard("ana", "ADD_PROFILE_PHOTO").Image("ana", "p1", 64, 48).ListenToCards("ana")
	repost := func(id string) string { return ImagePost(id, JPEG(64, 48), `, takenInReal: true`, "", "postId") }
	const title = "@ben reposted one of your posts"
	Run(t, []Scenario{
		{Name: "by another", Given: given, As: "ben", Query: repost("p2"), Hears: Hears{"ana": {heard("ADDED", "POST_REPOST:p2", title)}},
			Then: []Scenario{
				{
					As:    "ana",
					Query: myCards,
					Want: `{"self":{"cardCount":1,"cards":{"items":[{"cardId":"{ana}:POST_REPOST:p2","title":"` + title +
						`","subTitle":null,"action":"https://app.example/user/{ben}/post/p2"}],"nextToken":null}}}`,
				},
				{As: "ana", Query: `mutation { reportPostViews(postIds: ["p1"]) }`, Hears: Hears{}, Adds: true},
				{As: "ana", Query: `mutation { reportPostViews(postIds: ["p2"]) }`, Hears: Hears{"ana": {heard("DELETED", "POST_REPOST:p2", title)}}, Adds: true},
			}},
		{Name: "and gone", Given: given.Does("ben", "%s", repost("p2")), As: "ben", Query: `mutation { deletePost(postId: "p2") { postId } }`,
			Hears: Hears{"ana": {heard("DELETED", "POST_REPOST:p2", title)}}},
		{Name: "by oneself", Given: given, As: "ana", Query: repost("p2"), Hears: Hears{"ana": {heard("ADDED", "POST_REPOST:p2", "@ana reposted one of your posts")}}},
	})
}
