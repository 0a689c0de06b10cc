package resolvers_test

import (
	"strings"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

const profile = `userId username fullName displayName bio privacyStatus userStatus themeCode subscriptionLevel followedStatus followerStatus blockedStatus blockerStatus ` +
	`postCount followersCount followedsCount email languageCode likesDisabled followCountsHidden`

func TestCreateUser(t *testing.T) {
	RunStaffed(t, []Scenario{
		{Name: "with a verified contact", Given: Given{}.Identity("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "Ana.B", fullName: "") { userId username fullName email phoneNumber signedUpAt privacyStatus userStatus ` +
				`followedStatus } }`,
			Want: `{"createCognitoOnlyUser":{"userId":"{ana}","username":"Ana.B","fullName":null,"email":"ana@example.com","phoneNumber":null,"signedUpAt":"2026-01-01T12:00:01.000Z",` +
				`"privacyStatus":"PUBLIC","userStatus":"ACTIVE","followedStatus":"SELF"}}`,
			Then: []Scenario{{As: "ana", Query: `{ usernameStatus(username: "Ana.B") }`, Want: `{"usernameStatus":"NOT_AVAILABLE"}`}}},
		{Name: "without any account", Given: Given{}.Identity("stranger", apptest.Account{}),
			As: "stranger", Query: `mutation { createCognitoOnlyUser(username: "abc") { userId } }`,
			Error: "ClientError: No entry found in cognito user pool with cognito username `{stranger}`"},
		{Name: "with a name of bad form", Given: Given{}.Identity("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "a!a") { userId } }`,
			Error: "ClientError: Username `a!a` does not validate"},
		{Name: "without a name", Given: Given{}.Identity("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "") { userId } }`, Error: "ClientError: Empty username"},
		{Name: "with a name that differs by case from another's", Given: Users("ben").Identity("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "BEN") { userId } }`,
			Error: "ClientError: Username `BEN` already taken (case-insensitive comparison)"},
		{Name: "a second time", Given: Users("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "other") { userId } }`, Error: "ClientError: User `{ana}` already exists",
			Then: []Scenario{{As: "ana", Query: `{ self { username } usernameStatus(username: "other") }`, Want: `{"self":{"username":"ana"},"usernameStatus":"AVAILABLE"}`}}},
		{Name: "a second time with a name that is taken", Given: Users("ana", "ben"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "Ben") { userId } }`, Error: "ClientError: Username `Ben` already taken (case-insensitive comparison)"},
		{Name: "follows whom everybody follows from the start", Given: Users("hub").Identity("ana"),
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "ana") { followedsCount followedUsers { items { username followersCount } } } }`,
			Want:   `{"createCognitoOnlyUser":{"followedsCount":1,"followedUsers":{"items":[{"username":"hub","followersCount":1}]}}}`,
			Events: Events{"follow.moved": 1, "user.created": 1}},
	})
}

func TestReadUsers(t *testing.T) {
	Run(t, []Scenario{
		{Name: "users T2 oneself before the profile", Given: Given{}.Identity("ana"),
			As: "ana", Query: `{ self { userId } }`, Error: "ClientError: User does not exist", Want: `null`},
		{Name: "oneself and a stranger", Given: Users("ana", "ben"),
			As: "ana", Query: `{ self { ` + profile + ` } user(userId: "{ben}") { ` + profile + ` } }`,
			Want: `{"self":{"userId":"{ana}","username":"ana","fullName":null,"displayName":null,"bio":null,"privacyStatus":"PUBLIC","userStatus":"ACTIVE",` +
				`"themeCode":"black.green","subscriptionLevel":"BASIC","followedStatus":"SELF","followerStatus":"SELF","blockedStatus":"SELF","blockerStatus":"SELF",` +
				`"postCount":0,"followersCount":0,"followedsCount":0,"email":"ana@example.com","languageCode":"en","likesDisabled":false,"followCountsHidden":false},
				"user":{"userId":"{ben}","username":"ben","fullName":null,"displayName":null,"bio":null,"privacyStatus":"PUBLIC","userStatus":"ACTIVE",` +
				`"themeCode":"black.green","subscriptionLevel":"BASIC","followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING",` +
				`"blockerStatus":"NOT_BLOCKING","postCount":0,"followersCount":0,"followedsCount":0,"email":null,"languageCode":null,"likesDisabled":null,` +
				`"followCountsHidden":null}}`},
		{Name: "users T3 nobody, and an id of no form", Given: Users("ana"),
			As: "ana", Query: `{ a: user(userId: "us-east-1:00000000-0000-4000-8000-00000000ffff") { userId } b: user(userId: "nobody") { userId } c: user(userId: "") { userId } }`,
			Want: `{"a":null,"b":null,"c":null}`},
		{Name: "whoever blocks the viewer shows the least", Given: Users("ana", "ben").Details("ben", `fullName: "Ben", bio: "b"`).Block("ben", "ana"),
			As: "ana", Query: `{ user(userId: "{ben}") { ` + profile + ` followerUsers { items { userId } } posts { items { postId } } } }`,
			Want: `{"user":{"userId":"{ben}","username":"ben","fullName":null,"displayName":null,"bio":null,"privacyStatus":null,"userStatus":null,"themeCode":null,` +
				`"subscriptionLevel":null,"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"BLOCKING","postCount":null,` +
				`"followersCount":null,"followedsCount":null,"email":null,"languageCode":null,"likesDisabled":null,"followCountsHidden":null,"followerUsers":null,"posts":null}}`,
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ user(userId: "{ana}") { userStatus blockedStatus blockerStatus } }`,
					Want:  `{"user":{"userStatus":"ACTIVE","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING"}}`,
				},
			}},
		{Name: "a private user's publications", Given: Users("ana", "ben!private").Details("ben", `bio: "b", displayName: "B"`),
			As: "ana", Query: `{ user(userId: "{ben}") { displayName bio postCount followersCount followedCount followerUsers { nextToken } posts { nextToken } } }`,
			Want: `{"user":{"displayName":"B","bio":null,"postCount":0,"followersCount":null,"followedCount":null,"followerUsers":null,"posts":null}}`},
		{Name: "users A18 names of anonymous users, for those without a profile", Given: Users("ana").Status("ana", "ANONYMOUS").Identity("new"),
			As: "new", Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "ben") }`, Want: `{"a":"NOT_AVAILABLE","b":"AVAILABLE"}`,
			Then: []Scenario{{As: "ana", Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "!") }`, Want: `{"a":"NOT_AVAILABLE","b":"INVALID"}`}}},
		{Name: "users A18 for disabled users",
			Given: Users("ana").Status("ana", "DISABLED"), As: "ana", Query: `{ usernameStatus(username: "free") }`, Want: `{"usernameStatus":"AVAILABLE"}`},
		{Name: "names and their status", Given: Users("ana"),
			As: "ana", Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "free_1.") c: usernameStatus(username: "a b") d: usernameStatus(username: "") }`,
			Want: `{"a":"NOT_AVAILABLE","b":"AVAILABLE","c":"INVALID","d":"INVALID"}`},
	})
}

func TestSetUserDetails(t *testing.T) {
	Run(t, []Scenario{
		{Name: "nothing given", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails { userId } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?"},
		{Name: "nulls count as nothing", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(bio: null, username: null) { userId } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?"},
		{
			Name:  "texts are set, kept and removed",
			Given: Users("ana").Details("ana", `fullName: "Ana B", displayName: "A", bio: "hi", themeCode: "x", languageCode: "de", likesDisabled: true`),
			As:    "ana",
			Query: `mutation { setUserDetails(displayName: "", bio: "ho", languageCode: "") { fullName displayName bio themeCode languageCode likesDisabled } }`,
			Want:  `{"setUserDetails":{"fullName":"Ana B","displayName":null,"bio":"ho","themeCode":"x","languageCode":"en","likesDisabled":true}}`,
			Then:  []Scenario{{As: "ana", Query: `{ self { fullName displayName bio } }`, Want: `{"self":{"fullName":"Ana B","displayName":null,"bio":"ho"}}`}},
		},
		{Name: "users A14 and A18 a new name frees the old one", Given: Users("ana", "ben"),
			As: "ana", Query: `mutation { setUserDetails(username: "Anna") { username } }`, Want: `{"setUserDetails":{"username":"Anna"}}`,
			Then: []Scenario{{As: "ben", Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "Anna") }`, Want: `{"a":"AVAILABLE","b":"NOT_AVAILABLE"}`},
				{As: "ben", Query: `mutation { setUserDetails(username: "ana") { username } }`, Want: `{"setUserDetails":{"username":"ana"}}`}}},
		{Name: "users A12 only the case of a name", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(username: "ANA") { username } }`,
			Want: `{"setUserDetails":{"username":"ANA"}}`},
		{
			Name:  "users A14 somebody else's name changes nothing",
			Given: Users("ana", "ben"),
			As:    "ana",
			Query: `mutation { setUserDetails(username: "Ben", bio: "b") { username } }`,
			Error: "ClientError: Username `Ben` already taken (case-insensitive cmp)",
			Then:  []Scenario{{As: "ana", Query: `{ self { username bio } }`, Want: `{"self":{"username":"ana","bio":null}}`}},
		},
		{Name: "an empty name", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(username: "") { username } }`, Error: "ClientError: Empty username"},
		{Name: "going public answers the requests", Given: Users("ana!private", "ben", "cleo").Post("ana", "p1").Follow("ben", "ana").Follow("cleo", "ana").Deny("ana", "cleo"),
			As: "ana", Query: `mutation { setUserDetails(privacyStatus: PUBLIC) { privacyStatus followersCount requested: followersCount(followStatus: REQUESTED) } }`,
			Want:   `{"setUserDetails":{"privacyStatus":"PUBLIC","followersCount":1,"requested":0}}`,
			Events: Events{"follow.moved": 2, "user.opened": 1}, Lags: true,
			Then: []Scenario{{As: "ben", Query: `{ self { feed { items { postId } } } }`, Want: `{"self":{"feed":{"items":[{"postId":"p1"}]}}}`},
				{As: "cleo", Query: `{ user(userId: "{ana}") { followedStatus } }`, Want: `{"user":{"followedStatus":"NOT_FOLLOWING"}}`}}},
		{Name: "a caller without a profile", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { setUserDetails(bio: "b") { userId } }`,
			Error: "ClientError: User `{ana}` does not exist"},
		{Name: "a text too long to keep", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(bio: "` + strings.Repeat("x", 65<<10) + `") { userId } }`,
			Error: "ClientError: bio is 66560 bytes long: shorten it to at most 65536"},
	})
}
