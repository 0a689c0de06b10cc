package trending_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// posts 24.28: the weight of a post outweighs its age, and among equals the newer one is
// first.
func TestOrderOfPostsThatNobodyViewed(t *testing.T) {
	// unverified posts an image without a verdict.
	unverified := func(g Given, owner, id string, width int, arguments string) Given {
		return g.Does(owner, "%s", ImagePost(id, JPEG(width, 240), "", arguments, "postId"))
	}
	users := Users("ana", "ben", "cem")
	listed := func(ids string) string { return `{"trendingPosts":{"items":[` + ids + `],"nextToken":null}}` }
	const text, verified, bare, other = `{"postId":"text"}`, `{"postId":"verified"}`, `{"postId":"unverified"}`, `{"postId":"other"}`
	older := users.Post("ana", "text").Image("ana", "verified", 320, 240)
	diamond := unverified(users.Bonus("ana"), "ana", "unverified", 330, "")
	Run(t, []Scenario{
		{
			Name:  "unverified below an older text and an older verified picture",
			Given: unverified(older, "ben", "unverified", 330, ""),
			As:    "cem",
			Query: posts,
			Want:  listed(verified + "," + text + "," + bare),
		},
		{
			Name:  "unverified, the newer first",
			Given: unverified(unverified(users, "ana", "unverified", 330, ""), "ben", "other", 340, ""),
			As:    "cem",
			Query: posts,
			Want:  listed(other + "," + bare),
		},
		{
			Name:  "unverified, but that is hidden",
			Given: unverified(older, "ben", "unverified", 330, ", verificationHidden: true"),
			As:    "cem",
			Query: posts,
			Want:  listed(bare + "," + verified + "," + text),
		},
		{
			Name:  "unverified of a DIAMOND user above newer verified and text",
			Given: diamond.Image("ben", "verified", 320, 240).Post("ben", "text"),
			As:    "cem",
			Query: posts,
			Want:  listed(bare + "," + text + "," + verified),
		},
		{
			Name:  "DIAMOND later does not lift what is there",
			Given: unverified(older, "ben", "unverified", 330, "").Bonus("ben"),
			As:    "cem",
			Query: posts,
			Want:  listed(verified + "," + text + "," + bare),
		},
		{Name: "a repost is absent", Given: users.Image("ana", "verified", 320, 240).Image("ben", "other", 320, 240), As: "cem", Query: posts, Want: listed(verified)},
		{
			Name:  "a view of a repost lifts the original",
			Given: users.Image("ana", "verified", 320, 240).Post("ana", "text").Image("ben", "other", 320, 240).ViewPost("cem", "other"),
			As:    "cem",
			Query: posts,
			Want:  listed(verified + "," + text),
		},
		{
			Name:  "a view of what is unverified weighs half",
			Given: unverified(users, "ana", "unverified", 330, "").Post("ana", "text").ViewPost("cem", "unverified").ViewPost("cem", "text"),
			As:    "cem",
			Query: posts,
			Want:  listed(text + "," + bare),
		},
		{Name: "PENDING is absent", Given: users.Does("ana", `mutation { addPost(postId: "unverified") { postId } }`), As: "cem", Query: posts, Want: listed("")},
	})
}
