package block_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const blockBen = `mutation { blockUser(userId: "{ben}") { username blockedStatus blockerStatus followedStatus followerStatus followersCount followedsCount } }`

func TestBlockUser(t *testing.T) {
	given := Users("ana", "ben")
	nothing := Counts{}
	Run(t, []Scenario{
		{Name: "a stranger", Given: given, As: "ana", Query: blockBen, Counts: nothing, Events: Events{"user.blocked": 1},
			Want: `{"blockUser":{"username":"ben","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING",` +
				`"followersCount":0,"followedsCount":0}}`,
			Then: []Scenario{
				{As: "ana", Query: `{ self { blockedUsers { items { username blockedStatus } nextToken } } user(userId: "{ben}") { blockedUsers { items { username } } } }`,
					Want: `{"self":{"blockedUsers":{"items":[{"username":"ben","blockedStatus":"BLOCKING"}],"nextToken":null}},"user":{"blockedUsers":null}}`},
				{As: "ben", Query: `{ user(userId: "{ana}") { username blockerStatus userStatus blockedUsers { items { username } } } }`,
					Want: `{"user":{"username":"ana","blockerStatus":"BLOCKING","userStatus":null,"blockedUsers":null}}`},
				{Name: "users B4 blocking again", As: "ana", Query: blockBen, Error: "ClientError: User `{ana}` has already blocked user `{ben}`"},
				{
					Name:  "users B7 both may, and the answer shows as little",
					As:    "ben",
					Query: `mutation { blockUser(userId: "{ana}") { username blockedStatus blockerStatus fullName } }`,
					Want:  `{"blockUser":{"username":"ana","blockedStatus":"BLOCKING","blockerStatus":"BLOCKING","fullName":null}}`,
				},
			}},
		{Name: "ends follows both ways, and takes likes back", As: "ana", Query: blockBen,
			Given: given.Follow("ana", "ben").Follow("ben", "ana").Post("ana", "p1").Post("ben", "p2").Like("ben", "p1").Like("ana", "p2"),
			Want: `{"blockUser":{"username":"ben","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING",` +
				`"followersCount":0,"followedsCount":0}}`,
			Counts: Counts{
				"ana.followedCount": -1, "ana.followerCount": -1, "ben.followedCount": -1, "ben.followerCount": -1,
				"p1.onymousLikeCount": -1, "p2.onymousLikeCount": -1,
			},
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ self { feed { items { postId } } onymouslyLikedPosts { items { postId } } } }`,
					Want:  `{"self":{"feed":{"items":[{"postId":"p1"}]},"onymouslyLikedPosts":{"items":[]}}}`,
				},
				{As: "ben", Query: `{ self { feed { items { postId } } } post(postId: "p1") { postId } }`, Want: `{"self":{"feed":{"items":[{"postId":"p2"}]}},"post":null}`},
			}},
		{Name: "a request and a denial", Given: Users("ana!private", "ben").Follow("ben", "ana"), As: "ana", Query: blockBen,
			Want: `{"blockUser":{"username":"ben","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING","followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING",` +
				`"followersCount":0,"followedsCount":0}}`,
			Counts: Counts{"ana.followersRequestedCount": -1, "ana.cardCount": -1}},
		{Name: "users B1 before any other mistake",
			Given: given.Status("ana", "DISABLED"), As: "ana", Query: `mutation { blockUser(userId: "{ana}") { username } }`, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "users B1 an anonymous caller", Given: Users("ben").Anonymous("ana"), As: "ana", Query: blockBen, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "users B2 oneself", Given: given, As: "ana", Query: `mutation { blockUser(userId: "{ana}") { username } }`, Error: "ClientError: Cannot block yourself"},
		{Name: "users B3 nobody", Given: given, As: "ana", Query: `mutation { blockUser(userId: "nobody") { username } }`, Error: "ClientError: User `nobody` does not exist"},
		{Name: "users B5 writes nothing", Given: given.Status("ben", "DISABLED"), As: "ana", Query: blockBen, Error: "ClientError: Cannot block user with status `DISABLED`",
			Then: []Scenario{{As: "ana", Query: `{ self { blockedUsers { items { username } } } }`, Want: `{"self":{"blockedUsers":{"items":[]}}}`}}},
		{Name: "a bad limit", Given: given, As: "ana", Query: `{ self { blockedUsers(limit: 0) { items { username } } } }`, Want: `{"self":{"blockedUsers":null}}`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}

func TestUnblockUser(t *testing.T) {
	const unblockBen = `mutation { unblockUser(userId: "{ben}") { blockedStatus followedStatus } }`
	given := Users("ana", "ben")
	Run(t, []Scenario{
		{Name: "brings nothing back", Given: given.Follow("ana", "ben").Block("ana", "ben"), As: "ana", Query: unblockBen, Counts: Counts{},
			Want: `{"unblockUser":{"blockedStatus":"NOT_BLOCKING","followedStatus":"NOT_FOLLOWING"}}`,
			Then: []Scenario{
				{
					Name:  "following works again",
					As:    "ana",
					Query: `mutation { followUser(userId: "{ben}") { followedStatus } }`,
					Want:  `{"followUser":{"followedStatus":"FOLLOWING"}}`,
				},
				{Name: "users B6 who is not blocked", As: "ana", Query: unblockBen, Error: "ClientError: User `{ana}` has not blocked user `{ben}`"},
			}},
		{Name: "somebody disabled", Given: given.Block("ana", "ben").Status("ben", "DISABLED"), As: "ana", Query: unblockBen,
			Want: `{"unblockUser":{"blockedStatus":"NOT_BLOCKING","followedStatus":"NOT_FOLLOWING"}}`},
		{
			Name:  "users B1 a disabled caller",
			Given: given.Block("ana", "ben").Status("ana", "DISABLED"),
			As:    "ana",
			Query: unblockBen,
			Error: "ClientError: User `{ana}` is not ACTIVE",
		},
		{Name: "users B2 oneself", Given: given, As: "ana", Query: `mutation { unblockUser(userId: "{ana}") { username } }`, Error: "ClientError: Cannot unblock yourself"},
		{Name: "users B3 nobody", Given: given, As: "ana", Query: `mutation { unblockUser(userId: "nobody") { username } }`, Error: "ClientError: User `nobody` does not exist"},
	})
}

func TestBlockedUsersArePaged(t *testing.T) {
	Test(t, Users("ana", "ben", "cleo").Block("ana", "ben").Block("ana", "cleo"), func(w *World) {
		got := w.Pages("ana", `{ self { blockedUsers(limit: 1%s) { items { username } nextToken } } }`, "self", "blockedUsers")
		if want := `[{"username":"cleo"}] [{"username":"ben"}]`; got != want {
			w.T.Errorf("pages %s, want %s", got, want)
		}
	})
}
