package socialtest

import "testing"

func TestFollowUser(t *testing.T) {
	const followBen = `mutation { followUser(userId: "{ben}") { followedStatus } }`
	Run(t, []Scenario{
		{
			Name: "a public user is followed at once", Given: Users("ana", "ben").Post("ben", "p1").Listen("ana", "ben"), As: "ana", Query: followBen,
			Want:   `{"followUser": {"followedStatus": "FOLLOWING"}}`,
			Counts: Counts{"ana.followedCount": 1, "ben.followerCount": 1}, Events: Events{"follow.moved": 1},
			Hears: Hears{"ana": {`{"onNotification": {"type": "USER_FEED_CHANGED"}}`}},
			Then:  []Scenario{{As: "ana", Query: `{ self { feed { items { postId } } } }`, Want: `{"self": {"feed": {"items": [{"postId": "p1"}]}}}`, Counts: Counts{}, Events: Events{}}},
		},
		{
			Name: "a block refuses", Given: Users("ana", "ben").Block("ben", "ana"), As: "ana", Query: followBen,
			Error: "ClientError: User has been blocked by user `{ben}`", Counts: Counts{}, Events: Events{},
		},
	})
}
