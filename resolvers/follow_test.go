package resolvers_test

import (
	"testing"

	"stoa/social"
)

const followBen = `mutation { followUser(userId: "{ben}") { followedStatus followersCount } }`

var oneFollow = map[social.EventKind]int{social.FollowMoved: 1}

func TestFollowUser(t *testing.T) {
	run(t, []scenario{
		{Name: "a public user is followed at once", Given: []step{users("ana", "ben")}, As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Events: oneFollow,
			Then: []then{{"ana", `{ self { followedsCount } }`, `{"self":{"followedsCount":1}}`}}},
		{Name: "a private user is asked", Given: []step{users("ana", "ben!")}, As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"REQUESTED","followersCount":null}}`, Events: oneFollow,
			Then: []then{{"ben", `{ self { followersCount requested: followersCount(followStatus: REQUESTED) followerUsers(followStatus: REQUESTED) { items { username } } } }`,
				`{"self":{"followersCount":0,"requested":1,"followerUsers":{"items":[{"username":"ana"}]}}}`}}},
		{Name: "asking twice is refused", Given: []step{users("ana", "ben!"), follows("ana", "ben")}, As: "ana", Query: followBen,
			Error: "ClientError: User `{ana}` already is or has requested to follow user `{ben}`", Want: `{"followUser":null}`},
		{Name: "oneself", Given: []step{users("ana")}, As: "ana", Query: `mutation { followUser(userId: "{ana}") { userId } }`, Error: "ClientError: User cannot follow themselves"},
		{Name: "nobody", Given: []step{users("ana")}, As: "ana", Query: `mutation { followUser(userId: "nobody") { userId } }`, Error: "ClientError: No user profile found for followed `nobody`"},
		{Name: "whoever blocks the caller", Given: []step{users("ana", "ben"), blocks("ben", "ana")}, As: "ana", Query: followBen,
			Error: "ClientError: User has been blocked by user `{ben}`"},
		{Name: "whom the caller blocks", Given: []step{users("ana", "ben"), blocks("ana", "ben")}, As: "ana", Query: followBen,
			Error: "ClientError: User has blocked user `{ben}`"},
	})
}

func TestAnswerFollowers(t *testing.T) {
	run(t, []scenario{
		{Name: "accept", Given: []step{users("ana", "ben!"), posts("ben", "p1"), follows("ana", "ben")},
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId followerStatus } }`,
			Want: `{"acceptFollowerUser":{"userId":"{ana}","followerStatus":"FOLLOWING"}}`, Events: oneFollow,
			Then: []then{{"ana", `{ self { feed { items { postId postedBy { followedStatus bio } } } } user(userId: "{ben}") { followersCount posts { items { postId } } } }`,
				`{"self":{"feed":{"items":[{"postId":"p1","postedBy":{"followedStatus":"FOLLOWING","bio":null}}]}},"user":{"followersCount":1,"posts":{"items":[{"postId":"p1"}]}}}`}}},
		{Name: "deny after accepting takes everything back", Given: []step{users("ana", "ben!"), posts("ben", "p1"), follows("ana", "ben"),
			does("ben", `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`), does("ana", `mutation { onymouslyLikePost(postId: "p1") { postId } }`)},
			As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { followerStatus } }`,
			Want: `{"denyFollowerUser":{"followerStatus":"DENIED"}}`, Events: oneFollow,
			Then: []then{{"ana", `{ self { feed { items { postId } } followedUsers(followStatus: DENIED) { items { username followedStatus } } onymouslyLikedPosts { items { postId } } } post(postId: "p1") { postId } }`,
				`{"self":{"feed":{"items":[]},"followedUsers":{"items":[{"username":"ben","followedStatus":"DENIED"}]},"onymouslyLikedPosts":{"items":[]}},"post":null}`},
				{"ben", `{ self { followersCount } post(postId: "p1") { onymousLikeCount } }`, `{"self":{"followersCount":0},"post":{"onymousLikeCount":0}}`}}},
		{Name: "accept whom one denied", Given: []step{users("ana", "ben!"), follows("ana", "ben"), does("ben", `mutation { denyFollowerUser(userId: "{ana}") { userId } }`)},
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { followerStatus } }`, Want: `{"acceptFollowerUser":{"followerStatus":"FOLLOWING"}}`, Events: oneFollow},
		{Name: "accept twice", Given: []step{users("ana", "ben"), follows("ana", "ben")}, As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` already follows user `{ben}` with status `FOLLOWING`"},
		{Name: "deny twice", Given: []step{users("ana", "ben"), follows("ana", "ben"), does("ben", `mutation { denyFollowerUser(userId: "{ana}") { userId } }`)},
			As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { userId } }`, Error: "ClientError: User `{ana}` already follows user `{ben}` with status `DENIED`"},
		{Name: "accept without a request", Given: []step{users("ana", "ben")}, As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` has not requested to follow user `{ben}`"},
		{Name: "deny without a request", Given: []step{users("ana", "ben")}, As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` has not requested to follow user `{ben}`"},
	})
}

func TestUnfollowUser(t *testing.T) {
	const leaveBen = `mutation { unfollowUser(userId: "{ben}") { followedStatus followersCount } }`
	run(t, []scenario{
		{Name: "takes the posts out of the feed before it answers", Given: []step{users("ana", "ben"), posts("ben", "p1"), follows("ana", "ben")},
			As: "ana", Query: `mutation { unfollowUser(userId: "{ben}") { followedStatus followersCount } }`,
			Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":0}}`, Events: oneFollow,
			Then: []then{{"ana", `{ self { feed { items { postId } } followedsCount } }`, `{"self":{"feed":{"items":[]},"followedsCount":0}}`}}},
		{Name: "keeps likes of a public user's posts", Given: []step{users("ana", "ben"), posts("ben", "p1"), follows("ana", "ben"), does("ana", `mutation { anonymouslyLikePost(postId: "p1") { postId } }`)},
			As: "ana", Query: leaveBen, Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":0}}`, Events: oneFollow,
			Then: []then{{"ana", `{ self { anonymouslyLikedPosts { items { postId } } } }`, `{"self":{"anonymouslyLikedPosts":{"items":[{"postId":"p1"}]}}}`}}},
		{Name: "a request is taken back", Given: []step{users("ana", "ben!"), follows("ana", "ben")}, As: "ana", Query: leaveBen,
			Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":null}}`, Events: oneFollow,
			Then: []then{{"ben", `{ self { followersCount(followStatus: REQUESTED) } }`, `{"self":{"followersCount":0}}`}}},
		{Name: "nobody is followed", Given: []step{users("ana", "ben")}, As: "ana", Query: leaveBen, Error: "ClientError: User `{ana}` is not following `{ben}`"},
		{Name: "a denial stays", Given: []step{users("ana", "ben"), follows("ana", "ben"), does("ben", `mutation { denyFollowerUser(userId: "{ana}") { userId } }`)},
			As: "ana", Query: leaveBen, Error: "ClientError: User `{ana}` already follows user `{ben}` with status `DENIED`"},
	})
}

func TestFollowLists(t *testing.T) {
	given := []step{users("ana", "ben", "cleo"), follows("ben", "ana"), follows("cleo", "ana"), follows("ana", "ben")}
	run(t, []scenario{
		{Name: "newest follow first", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { followerUsers { items { username followedStatus } nextToken } followedUsers { items { username } } } }`,
			Want: `{"user":{"followerUsers":{"items":[{"username":"cleo","followedStatus":"NOT_FOLLOWING"},{"username":"ben","followedStatus":"SELF"}],"nextToken":null},"followedUsers":{"items":[{"username":"ben"}]}}}`},
		{Name: "others' requests", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { followerUsers(followStatus: REQUESTED) { nextToken } } }`,
			Error: "ClientError: May only query FOLLOWING relationships of other users", Want: `{"user":{"followerUsers":null}}`},
		{Name: "no follow is no list", Given: given, As: "ana", Query: `{ self { followerUsers(followStatus: NOT_FOLLOWING, limit: 0) { nextToken } } }`,
			Error: "ClientError: Cannot request followStatus of NOT_FOLLOWING"},
		{Name: "a bad limit", Given: given, As: "ana", Query: `{ self { userId followedUsers(limit: 101) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100", Want: `{"self":{"userId":"{ana}","followedUsers":null}}`},
		{Name: "SELF is an empty list of oneself", Given: given, As: "ana", Query: `{ self { followerUsers(followStatus: SELF) { items { userId } nextToken } } }`,
			Want: `{"self":{"followerUsers":{"items":[],"nextToken":null}}}`},
		{Name: "a null status is FOLLOWING", Given: given, As: "ana", Query: `{ self { followerUsers(followStatus: null, limit: 1) { items { username } } followersCount(followStatus: null) } }`,
			Want: `{"self":{"followerUsers":{"items":[{"username":"cleo"}]},"followersCount":2}}`},
		{Name: "a token of another list", Given: given, As: "ana", Query: `{ self { followerUsers(nextToken: "made up") { nextToken } } }`,
			Error: "ClientError: nextToken is not from this list: leave it out to start from the first page"},
		{Name: "denials are not counted", Given: given, As: "ana", Query: `{ self { followersCount(followStatus: DENIED) } }`,
			Error: "ClientError: Cannot request followStatus of DENIED"},
		{Name: "hidden from others, not from oneself", Given: append(given[:len(given):len(given)], does("ana", `mutation { setUserDetails(followCountsHidden: true) { userId } }`)),
			As: "ben", Query: `{ user(userId: "{ana}") { followersCount followerUsers { nextToken } } }`, Want: `{"user":{"followersCount":null,"followerUsers":null}}`,
			Then: []then{{"ana", `{ self { followersCount followerUsers { items { username } } } }`, `{"self":{"followersCount":2,"followerUsers":{"items":[{"username":"cleo"},{"username":"ben"}]}}}`}}},
	})
}

func TestFollowListsArePaged(t *testing.T) {
	w := newWorld(t)
	users("ana", "ben", "cleo", "dan")(w)
	for _, name := range []string{"ben", "cleo", "dan"} {
		follows(name, "ana")(w)
	}
	got := w.pages("ana", `{ self { followerUsers(limit: 2%s) { items { username } nextToken } } }`, "self", "followerUsers")
	if want := `[{"username":"dan"},{"username":"cleo"}] [{"username":"ben"}]`; got != want {
		t.Errorf("pages = %s, want %s", got, want)
	}
}
