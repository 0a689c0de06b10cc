package follow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
)

const followBen = `mutation { followUser(userId: "{ben}") { followedStatus followersCount } }`

// fedP1 shows that p1 is in the feed of a follower.
var fedP1 = Scenario{As: "ana", Query: `{ self { feed { items { postId } } } }`, Want: `{"self":{"feed":{"items":[{"postId":"p1"}]}}}`}

var moved = Events{"follow.moved": 1}

// users F2, F3, F4, F5, F6 and F7: whom a user cannot follow.
func TestFollowUser(t *testing.T) {
	Run(t, []Scenario{
		{Name: "a public user is followed at once", Given: Users("ana", "ben").Listen("ana", "ben"), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Events: Events{"follow.moved": 0},
			Hears: Hears{"ana": {`{"onNotification":{"type":"USER_FEED_CHANGED"}}`}},
			Then:  []Scenario{{As: "ana", Query: `{ self { followedsCount } }`, Want: `{"self":{"followedsCount":1}}`}}},
		{Name: "a user with a post", Given: Users("ana", "ben").Post("ben", "p1"), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Events: moved, Then: []Scenario{fedP1}},
		{Name: "a user whose only post is archived", Given: Users("ana", "ben").Post("ben", "p1").Archive("ben", "p1"), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Events: Events{"follow.moved": 0},
			Then: []Scenario{{As: "ben", Query: `mutation { restoreArchivedPost(postId: "p1") { postId } }`, Then: []Scenario{fedP1}}}},
		{Name: "a private user is asked", Given: Users("ana", "ben!private"), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"REQUESTED","followersCount":null}}`, Events: moved,
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ self { followersCount requested: followersCount(followStatus: REQUESTED) followerUsers(followStatus: REQUESTED) { items { username } } } }`,
					Want:  `{"self":{"followersCount":0,"requested":1,"followerUsers":{"items":[{"username":"ana"}]}}}`,
				},
			}},
		{Name: "asking twice is refused", Given: Users("ana", "ben!private").Follow("ana", "ben"), As: "ana", Query: followBen,
			Error: "ClientError: User `{ana}` already is or has requested to follow user `{ben}`", Want: `{"followUser":null}`},
		{Name: "users F1 a disabled caller, before any other mistake",
			Given: Users("ana").Status("ana", social.UserDisabled), As: "ana", Query: `mutation { followUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "users F1 an anonymous caller", Given: Users("ben").Anonymous("ana"), As: "ana", Query: followBen, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "oneself", Given: Users("ana"), As: "ana", Query: `mutation { followUser(userId: "{ana}") { userId } }`, Error: "ClientError: User cannot follow themselves"},
		{
			Name:  "nobody",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { followUser(userId: "nobody") { userId } }`,
			Error: "ClientError: No user profile found for followed `nobody`",
		},
		{Name: "no id", Given: Users("ana"), As: "ana", Query: `mutation { followUser(userId: "x/y") { userId } }`, Error: "ClientError: No user profile found for followed `x/y`"},
		{
			Name:  "a disabled user",
			Given: Users("ana", "ben").Status("ben", social.UserDisabled),
			As:    "ana",
			Query: followBen,
			Error: "ClientError: Cannot follow user with status `DISABLED`",
		},
		{Name: "whoever blocks the caller", Given: Users("ana", "ben").Block("ben", "ana"), As: "ana", Query: followBen,
			Error: "ClientError: User has been blocked by user `{ben}`"},
		{Name: "whom the caller blocks", Given: Users("ana", "ben").Block("ana", "ben"), As: "ana", Query: followBen,
			Error: "ClientError: User has blocked user `{ben}`"},
	})
}

// A request is decided again after a conflict.
func TestFollowUserDecidesAgain(t *testing.T) {
	given := Users("ana", "ben!private")
	Run(t, []Scenario{
		{Name: "they go public", Given: given, Meanwhile: Given{}.Details("ben", `privacyStatus: PUBLIC`), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Counts: Counts{"ana.followedCount": 1, "ben.followerCount": 1}},
		{Name: "they post", Given: Users("ana", "ben"), Meanwhile: Given{}.Post("ben", "p1"), As: "ana", Query: followBen,
			Want: `{"followUser":{"followedStatus":"FOLLOWING","followersCount":1}}`, Events: moved, Then: []Scenario{fedP1}},
		{Name: "the same request comes first", Given: given, Meanwhile: Given{}.Follow("ana", "ben"), As: "ana", Query: followBen,
			Error:  "ClientError: User `{ana}` already follows user `{ben}` with status `REQUESTED`",
			Counts: Counts{"ben.followersRequestedCount": 1}, Events: moved},
		{Name: "they block the caller", Given: given, Meanwhile: Given{}.Block("ben", "ana"), As: "ana", Query: followBen,
			Error: "ClientError: User has been blocked by user `{ben}`", Counts: Counts{"ben.followersRequestedCount": 0}},
		{Name: "the caller blocks them", Given: given, Meanwhile: Given{}.Block("ana", "ben"), As: "ana", Query: followBen,
			Error: "ClientError: User has blocked user `{ben}`", Counts: Counts{"ben.followersRequestedCount": 0}},
	})
}

func TestOneOfManyEqualRequestsWins(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ben", "p1"), func(w *World) {
		var refused atomic.Int64
		w.Together(8, func(int) {
			if a := w.Ask("ana", followBen); len(a.Errors) > 0 {
				refused.Add(1)
				if !strings.Contains(a.Errors[0].Message, " already ") {
					w.T.Errorf("refused with %q", a.Errors[0].Message)
				}
			}
		})
		if refused.Load() != 7 {
			w.T.Errorf("%d of 8 requests were refused", refused.Load())
		}
		if events := w.TakeEvents(); events["follow.moved"] != 1 {
			w.T.Errorf("events %v for one follow", events)
		}
	})
}

func TestManyFollowOneAtTheSameTime(t *testing.T) {
	names := []string{"u01", "u02", "u03", "u04", "u05", "u06"}
	Test(t, Users("ben").Users(names...), func(w *World) {
		w.Together(len(names), func(i int) {
			for range 3 {
				w.Must(names[i], followBen)
				w.Must(names[i], `mutation { unfollowUser(userId: "{ben}") { userId } }`)
			}
			w.Must(names[i], followBen)
		})
		if n := w.Counters()["ben.followerCount"]; n != len(names) {
			w.T.Errorf("%d followers are counted, want %d", n, len(names))
		}
	})
}

// users F10, F11 and F12: whom a user cannot accept or deny.
func TestAnswerFollowers(t *testing.T) {
	Run(t, []Scenario{
		{Name: "accept", Given: Users("ana", "ben!private").Post("ben", "p1").Follow("ana", "ben"),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId followerStatus } }`,
			Want: `{"acceptFollowerUser":{"userId":"{ana}","followerStatus":"FOLLOWING"}}`, Events: moved,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ self { feed { items { postId postedBy { followedStatus bio } } } } user(userId: "{ben}") { followersCount posts { items { postId } } } }`,
					Want:  `{"self":{"feed":{"items":[{"postId":"p1","postedBy":{"followedStatus":"FOLLOWING","bio":null}}]}},"user":{"followersCount":1,"posts":{"items":[{"postId":"p1"}]}}}`,
				},
			}},
		{
			Name:   "users F16 deny after accepting takes everything back",
			Given:  Users("ana", "ben!private").Post("ben", "p1").Follow("ana", "ben").Accept("ben", "ana").Like("ana", "p1"),
			As:     "ben",
			Query:  `mutation { denyFollowerUser(userId: "{ana}") { followerStatus } }`,
			Want:   `{"denyFollowerUser":{"followerStatus":"DENIED"}}`,
			Events: moved,
			Then: []Scenario{
				{
					As: "ana",
					Query: `{ self { feed { items { postId } } followedUsers(followStatus: DENIED) { items { username followedStatus } } onymouslyLikedPosts { items { postId } } } ` +
						`post(postId: "p1") { postId } }`,
					Want: `{"self":{"feed":{"items":[]},"followedUsers":{"items":[{"username":"ben","followedStatus":"DENIED"}]},"onymouslyLikedPosts":{"items":[]}},"post":null}`,
				},
				{As: "ben", Query: `{ self { followersCount } post(postId: "p1") { onymousLikeCount } }`, Want: `{"self":{"followersCount":0},"post":{"onymousLikeCount":0}}`},
			},
		},
		{Name: "users F14 a request that is denied was never counted as a follower", Given: Users("ana", "ben!private").Follow("ana", "ben"),
			As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { followerStatus } }`, Want: `{"denyFollowerUser":{"followerStatus":"DENIED"}}`,
			Counts: Counts{"ben.followersRequestedCount": -1, "ben.followerCount": 0, "ana.followedCount": 0},
			Then: []Scenario{
				{As: "ben", Query: `{ self { followersCount requested: followersCount(followStatus: REQUESTED) } }`, Want: `{"self":{"followersCount":0,"requested":0}}`},
				{As: "ana", Query: `{ self { followedsCount } }`, Want: `{"self":{"followedsCount":0}}`},
			}},
		{Name: "users F13 a disabled caller accepts nobody", Given: Users("ana", "ben!private").Follow("ana", "ben").Status("ben", social.UserDisabled),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`, Error: "ClientError: User `{ben}` is not ACTIVE"},
		{Name: "users F13 a disabled caller denies nobody", Given: Users("ana", "ben!private").Follow("ana", "ben").Status("ben", social.UserDisabled),
			As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { userId } }`, Error: "ClientError: User `{ben}` is not ACTIVE"},
		{Name: "a disabled follower may be answered", Given: Users("ana", "ben!private").Follow("ana", "ben").Status("ana", social.UserDisabled),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { followerStatus } }`, Want: `{"acceptFollowerUser":{"followerStatus":"FOLLOWING"}}`},
		{Name: "answers do not move the time of the follow", Given: Users("ana", "ben!private", "cleo").Follow("ana", "ben").Follow("cleo", "ben").Accept("ben", "cleo"),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`,
			Counts: Counts{"ana.followedCount": 1, "ben.followerCount": 1, "ben.followersRequestedCount": -1},
			Then: []Scenario{
				{As: "ben", Query: `{ self { followerUsers { items { username } } } }`, Want: `{"self":{"followerUsers":{"items":[{"username":"cleo"},{"username":"ana"}]}}}`},
				{As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { followerStatus } }`, Counts: Counts{"ana.followedCount": -1, "ben.followerCount": -1}},
				{As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { followerStatus } }`, Counts: Counts{"ana.followedCount": 1, "ben.followerCount": 1}},
			}},
		{Name: "a request is withdrawn meanwhile", Given: Users("ana", "ben!private").Follow("ana", "ben"), Meanwhile: Given{}.Unfollow("ana", "ben"),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`, Error: "ClientError: User `{ana}` has not requested to follow user `{ben}`",
			Counts: Counts{"ben.followersRequestedCount": -1}, Events: moved},
		{Name: "accept oneself", Given: Users("ben"), As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ben}") { userId } }`,
			Error: "ClientError: User `{ben}` has not requested to follow user `{ben}`"},
		{Name: "accept nobody", Given: Users("ben"), As: "ben", Query: `mutation { acceptFollowerUser(userId: "nobody") { userId } }`,
			Error: "ClientError: User `nobody` has not requested to follow user `{ben}`"},
		{Name: "accept whom one denied", Given: Users("ana", "ben!private").Follow("ana", "ben").Deny("ben", "ana"),
			As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { followerStatus } }`, Want: `{"acceptFollowerUser":{"followerStatus":"FOLLOWING"}}`, Events: moved},
		{Name: "accept twice", Given: Users("ana", "ben").Follow("ana", "ben"), As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` already follows user `{ben}` with status `FOLLOWING`"},
		{Name: "deny twice", Given: Users("ana", "ben").Follow("ana", "ben").Deny("ben", "ana"),
			As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { userId } }`, Error: "ClientError: User `{ana}` already follows user `{ben}` with status `DENIED`"},
		{Name: "accept without a request", Given: Users("ana", "ben"), As: "ben", Query: `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` has not requested to follow user `{ben}`"},
		{Name: "deny without a request", Given: Users("ana", "ben"), As: "ben", Query: `mutation { denyFollowerUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` has not requested to follow user `{ben}`"},
	})
}

// users F8 and F9: only a follow or a request can be ended.
func TestUnfollowUser(t *testing.T) {
	const leaveBen = `mutation { unfollowUser(userId: "{ben}") { followedStatus followersCount } }`
	Run(t, []Scenario{
		{Name: "takes the posts out of the feed before it answers", Given: Users("ana", "ben").Post("ben", "p1").Follow("ana", "ben"),
			As: "ana", Query: `mutation { unfollowUser(userId: "{ben}") { followedStatus followersCount } }`,
			Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":0}}`, Events: moved,
			Then: []Scenario{{As: "ana", Query: `{ self { feed { items { postId } } followedsCount } }`, Want: `{"self":{"feed":{"items":[]},"followedsCount":0}}`}}},
		{Name: "users F16 keeps likes of a public user's posts", Given: Users("ana", "ben").Post("ben", "p1").Follow("ana", "ben").LikeSecretly("ana", "p1"),
			As: "ana", Query: leaveBen, Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":0}}`, Events: moved,
			Then: []Scenario{
				{As: "ana", Query: `{ self { anonymouslyLikedPosts { items { postId } } } }`, Want: `{"self":{"anonymouslyLikedPosts":{"items":[{"postId":"p1"}]}}}`},
			}},
		{Name: "a request is taken back", Given: Users("ana", "ben!private").Follow("ana", "ben"), As: "ana", Query: leaveBen,
			Want: `{"unfollowUser":{"followedStatus":"NOT_FOLLOWING","followersCount":null}}`, Events: moved,
			Then: []Scenario{{As: "ben", Query: `{ self { followersCount(followStatus: REQUESTED) } }`, Want: `{"self":{"followersCount":0}}`}}},
		{
			Name:  "oneself",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { unfollowUser(userId: "{ana}") { userId } }`,
			Error: "ClientError: User `{ana}` is not following `{ana}`",
		},
		{Name: "no id", Given: Users("ana"), As: "ana", Query: `mutation { unfollowUser(userId: "") { userId } }`, Error: "ClientError: User `{ana}` is not following ``"},
		{Name: "nobody is followed", Given: Users("ana", "ben"), As: "ana", Query: leaveBen, Error: "ClientError: User `{ana}` is not following `{ben}`"},
		{Name: "users F13 a disabled caller",
			Given: Users("ana", "ben").Follow("ana", "ben").Status("ana", social.UserDisabled), As: "ana", Query: leaveBen, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "a denial stays", Given: Users("ana", "ben").Follow("ana", "ben").Deny("ben", "ana"),
			As: "ana", Query: leaveBen, Error: "ClientError: User `{ana}` already follows user `{ben}` with status `DENIED`"},
	})
}

// users F18, F19, F20 and F23: which lists and counts of follows each viewer gets.
func TestFollowLists(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ben", "ana").Follow("cleo", "ana").Follow("ana", "ben")
	Run(t, []Scenario{
		{
			Name:  "newest follow first",
			Given: given,
			As:    "ben",
			Query: `{ user(userId: "{ana}") { followerUsers { items { username followedStatus } nextToken } followedUsers { items { username } } } }`,
			Want: `{"user":{"followerUsers":{"items":[{"username":"cleo","followedStatus":"NOT_FOLLOWING"},{"username":"ben","followedStatus":"SELF"}],"nextToken":null},` +
				`"followedUsers":{"items":[{"username":"ben"}]}}}`,
		},
		{Name: "others' requests", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { followerUsers(followStatus: REQUESTED) { nextToken } } }`,
			Error: "ClientError: May only query FOLLOWING relationships of other users", Want: `{"user":{"followerUsers":null}}`},
		{Name: "no follow is no list", Given: given, As: "ana", Query: `{ self { followerUsers(followStatus: NOT_FOLLOWING, limit: 0) { nextToken } } }`,
			Error: "ClientError: Cannot request followStatus of NOT_FOLLOWING"},
		{Name: "a bad limit", Given: given, As: "ana", Query: `{ self { userId followedUsers(limit: 101) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100", Want: `{"self":{"userId":"{ana}","followedUsers":null}}`},
		{Name: "SELF is an empty list of oneself", Given: given, As: "ana", Query: `{ self { followerUsers(followStatus: SELF) { items { userId } nextToken } } }`,
			Want: `{"self":{"followerUsers":{"items":[],"nextToken":null}}}`},
		{
			Name:  "a null status is FOLLOWING",
			Given: given,
			As:    "ana",
			Query: `{ self { followerUsers(followStatus: null, limit: 1) { items { username } } followersCount(followStatus: null) } }`,
			Want:  `{"self":{"followerUsers":{"items":[{"username":"cleo"}]},"followersCount":2}}`,
		},
		{Name: "a token of another list", Given: given, As: "ana", Query: `{ self { followerUsers(nextToken: "made up") { nextToken } } }`,
			Error: "ClientError: nextToken is not from this list: leave it out to start from the first page"},
		{Name: "by status", Given: Users("ana", "first", "second", "asked!private", "denies!private").Follow("ana", "first").Follow("ana", "second").
			Follow("ana", "asked").Follow("ana", "denies").Deny("denies", "ana"),
			As: "ana", Query: `{ self { a: followedUsers { items { username } } b: followedUsers(followStatus: REQUESTED) { items { username } } ` +
				`c: followedUsers(followStatus: DENIED) { items { username } } d: followedUsers(followStatus: SELF) { items { username } } } }`,
			Want: `{"self":{"a":{"items":[{"username":"second"},{"username":"first"}]},"b":{"items":[{"username":"asked"}]},"c":{"items":[{"username":"denies"}]},"d":{"items":[]}}}`,
			Then: []Scenario{
				{As: "denies", Query: `{ self { followerUsers(followStatus: DENIED) { items { username } } } }`, Want: `{"self":{"followerUsers":{"items":[{"username":"ana"}]}}}`},
			}},
		{Name: "of a private user, for followers alone", Given: Users("ana!private", "ben", "cleo").Follow("ben", "ana").Accept("ana", "ben").Follow("cleo", "ana"),
			As: "ben", Query: `{ user(userId: "{ana}") { followerUsers { items { username } } followedUsers { items { username } } } }`,
			Want: `{"user":{"followerUsers":{"items":[{"username":"ben"}]},"followedUsers":{"items":[]}}}`,
			Then: []Scenario{
				{
					As:    "cleo",
					Query: `{ user(userId: "{ana}") { followerUsers { nextToken } followedUsers { nextToken } } }`,
					Want:  `{"user":{"followerUsers":null,"followedUsers":null}}`,
				},
			}},
		{
			Name:  "of whoever blocks the viewer",
			Given: given.Block("ana", "ben"),
			As:    "ben",
			Query: `{ user(userId: "{ana}") { followerUsers { nextToken } followedUsers { nextToken } } }`,
			Want:  `{"user":{"followerUsers":null,"followedUsers":null}}`,
		},
		{
			Name:  "a wrong status comes before a bad limit",
			Given: given,
			As:    "ben",
			Query: `{ user(userId: "{ana}") { followerUsers(followStatus: REQUESTED, limit: 0) { nextToken } } }`,
			Error: "ClientError: May only query FOLLOWING relationships of other users",
		},
		{
			Name:  "users T12 a bad limit comes before privacy",
			Given: Users("ana!private", "ben"),
			As:    "ben",
			Query: `{ user(userId: "{ana}") { followedUsers(limit: 0) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100",
		},
		{Name: "denials are not counted", Given: given, As: "ana", Query: `{ self { followersCount(followStatus: DENIED) } }`,
			Error: "ClientError: Cannot request followStatus of DENIED"},
		{Name: "hidden from others, not from oneself", Given: given.Details("ana", `followCountsHidden: true`),
			As: "ben", Query: `{ user(userId: "{ana}") { followersCount followerUsers { nextToken } } }`, Want: `{"user":{"followersCount":null,"followerUsers":null}}`,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ self { followersCount followerUsers { items { username } } } }`,
					Want:  `{"self":{"followersCount":2,"followerUsers":{"items":[{"username":"cleo"},{"username":"ben"}]}}}`,
				},
			}},
	})
}

// users T8: the token of a page leads to the next, and the last page has none.
func TestFollowListsArePaged(t *testing.T) {
	Test(t, Users("ana", "ben", "cleo", "dan").Follow("ben", "ana").Follow("cleo", "ana").Follow("dan", "ana"), func(w *World) {
		got := w.Pages("ana", `{ self { followerUsers(limit: 2%s) { items { username } nextToken } } }`, "self", "followerUsers")
		if want := `[{"username":"dan"},{"username":"cleo"}] [{"username":"ben"}]`; got != want {
			w.T.Errorf("pages = %s, want %s", got, want)
		}
	})
}

// users T6: a limit out of bounds makes the list null, with one error.
func TestLimitsOfFollowLists(t *testing.T) {
	given := Users("ana")
	for i := range 22 {
		name := fmt.Sprintf("u%02d", i)
		given = given.Users(name).Follow(name, "ana")
	}
	const refusal = "ClientError: Limit cannot be less than 1 or greater than 100"
	Test(t, given, func(w *World) {
		for arguments, want := range map[string]int{"": 20, "(limit: null)": 20, "(limit: 1)": 1, "(limit: 21)": 21, "(limit: 100)": 22} {
			got := w.Must("ana", `{ self { followerUsers`+arguments+` { items { userId } } } }`)
			if n := strings.Count(string(got.Data), "userId"); n != want {
				w.T.Errorf("followerUsers%s has %d items, want %d", arguments, n, want)
			}
		}
		for _, limit := range []string{"-1", "0", "101"} {
			w.Play(
				Scenario{
					As:    "ana",
					Query: `{ self { username followerUsers(limit: ` + limit + `) { nextToken } } }`,
					Error: refusal,
					Want:  `{"self":{"username":"ana","followerUsers":null}}`,
				},
			)
		}
	})
}

// users T7: users who are left out of a page count towards its limit.
func TestPagesOfFollowListsMayBeEmpty(t *testing.T) {
	given := Users("ana", "ben", "cleo", "dan", "vic").Follow("ben", "ana").Follow("cleo", "ana").Follow("dan", "ana").Block("dan", "vic")
	Test(t, given, func(w *World) {
		for limit, want := range map[int]string{1: `[] [{"username":"cleo"}] [{"username":"ben"}]`, 2: `[{"username":"cleo"}] [{"username":"ben"}]`} {
			query := fmt.Sprintf(`{ user(userId: "{ana}") { followerUsers(limit: %d%%s) { items { username } nextToken } } }`, limit)
			if got := w.Pages("vic", query, "user", "followerUsers"); got != want {
				w.T.Errorf("pages of %d = %s, want %s", limit, got, want)
			}
		}
	})
}

// users T9: a token is not accepted by another list, and does not start it from its first page.
func TestTokensOfFollowListsAreTheirOwn(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ben", "ana").Follow("cleo", "ana").Follow("ana", "ben").Follow("ana", "cleo").Follow("ben", "cleo")
	Test(t, given, func(w *World) {
		var of struct {
			Self struct{ FollowerUsers struct{ NextToken string } }
		}
		if err := json.Unmarshal(w.Must("ana", `{ self { followerUsers(limit: 1) { nextToken } } }`).Data, &of); err != nil {
			w.T.Fatal(err)
		}
		token := of.Self.FollowerUsers.NextToken
		w.Play(
			Scenario{
				As:    "ana",
				Query: fmt.Sprintf(`{ self { followerUsers(nextToken: %q) { items { username } } } }`, token),
				Want:  `{"self":{"followerUsers":{"items":[{"username":"ben"}]}}}`,
			},
		)
		const refusal = "ClientError: nextToken is not from this list: leave it out to start from the first page"
		for _, list := range []string{"self { followedUsers", `user(userId: "{cleo}") { followerUsers`, "self { blockedUsers"} {
			w.Play(Scenario{As: "ana", Query: fmt.Sprintf(`{ %s(nextToken: %q) { nextToken } } }`, list, token), Error: refusal})
		}
	})
}
