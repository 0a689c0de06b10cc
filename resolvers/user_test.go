package resolvers_test

import (
	"strings"
	"testing"

	"stoa/social"
)

const profile = `userId username fullName displayName bio privacyStatus userStatus themeCode subscriptionLevel followedStatus followerStatus blockedStatus blockerStatus postCount followersCount followedsCount email languageCode likesDisabled followCountsHidden`

func TestCreateUser(t *testing.T) {
	run(t, []scenario{
		{Name: "with a verified contact", Given: []step{func(w *world) { w.identity("ana") }},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "Ana.B", fullName: "") { userId username fullName email phoneNumber signedUpAt privacyStatus userStatus followedStatus } }`,
			Want: `{"createCognitoOnlyUser":{"userId":"{ana}","username":"Ana.B","fullName":null,"email":"ana@example.com","phoneNumber":null,"signedUpAt":"2026-01-01T12:00:01.000000Z","privacyStatus":"PUBLIC","userStatus":"ACTIVE","followedStatus":"SELF"}}`,
			Then: []then{{"ana", `{ usernameStatus(username: "Ana.B") }`, `{"usernameStatus":"NOT_AVAILABLE"}`}}},
		{Name: "without any account", Given: []step{func(w *world) { w.identity("stranger") }},
			As: "stranger", Query: `mutation { createCognitoOnlyUser(username: "abc") { userId } }`,
			Error: "ClientError: No entry found in cognito user pool with cognito username `{stranger}`"},
		{Name: "with a name of bad form", Given: []step{func(w *world) { w.identity("ana") }},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "a!a") { userId } }`,
			Error: "ClientError: Username `a!a` does not validate"},
		{Name: "without a name", Given: []step{func(w *world) { w.identity("ana") }},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "") { userId } }`, Error: "ClientError: Empty username"},
		{Name: "with a name that differs by case from another's", Given: []step{users("ben"), func(w *world) { w.identity("ana") }},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "BEN") { userId } }`,
			Error: "ClientError: Username `BEN` already taken (case-insensitive comparison)"},
		{Name: "a second time", Given: []step{users("ana")},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "other") { userId } }`, Error: "ClientError: User `{ana}` already exists",
			Then: []then{{"ana", `{ self { username } usernameStatus(username: "other") }`, `{"self":{"username":"ana"},"usernameStatus":"AVAILABLE"}`}}},
		{Name: "follows real from the start", Given: []step{users("real"), func(w *world) { w.identity("ana") }},
			As: "ana", Query: `mutation { createCognitoOnlyUser(username: "ana") { followedsCount followedUsers { items { username followersCount } } } }`,
			Want:   `{"createCognitoOnlyUser":{"followedsCount":1,"followedUsers":{"items":[{"username":"real","followersCount":1}]}}}`,
			Events: map[social.EventKind]int{social.FollowMoved: 1}},
	})
}

func TestReadUsers(t *testing.T) {
	run(t, []scenario{
		{Name: "oneself before the profile", Given: []step{func(w *world) { w.identity("ana") }},
			As: "ana", Query: `{ self { userId } }`, Error: "ClientError: User does not exist", Want: `null`},
		{Name: "oneself and a stranger", Given: []step{users("ana", "ben")},
			As: "ana", Query: `{ self { ` + profile + ` } user(userId: "{ben}") { ` + profile + ` } }`,
			Want: `{"self":{"userId":"{ana}","username":"ana","fullName":null,"displayName":null,"bio":null,"privacyStatus":"PUBLIC","userStatus":"ACTIVE","themeCode":"black.green","subscriptionLevel":"BASIC","followedStatus":"SELF","followerStatus":"SELF","blockedStatus":"SELF","blockerStatus":"SELF","postCount":0,"followersCount":0,"followedsCount":0,"email":"ana@example.com","languageCode":"en","likesDisabled":false,"followCountsHidden":false},
				"user":{"userId":"{ben}","username":"ben","fullName":null,"displayName":null,"bio":null,"privacyStatus":"PUBLIC","userStatus":"ACTIVE","themeCode":"black.green","subscriptionLevel":"BASIC","followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"NOT_BLOCKING","postCount":0,"followersCount":0,"followedsCount":0,"email":null,"languageCode":null,"likesDisabled":null,"followCountsHidden":null}}`},
		{Name: "nobody, and an id of no form", Given: []step{users("ana")},
			As: "ana", Query: `{ a: user(userId: "us-east-1:00000000-0000-4000-8000-00000000ffff") { userId } b: user(userId: "nobody") { userId } c: user(userId: "") { userId } }`,
			Want: `{"a":null,"b":null,"c":null}`},
		{Name: "whoever blocks the viewer shows the least", Given: []step{users("ana", "ben"),
			does("ben", `mutation { setUserDetails(fullName: "Ben", bio: "b") { userId } }`), blocks("ben", "ana")},
			As: "ana", Query: `{ user(userId: "{ben}") { ` + profile + ` followerUsers { items { userId } } posts { items { postId } } } }`,
			Want: `{"user":{"userId":"{ben}","username":"ben","fullName":null,"displayName":null,"bio":null,"privacyStatus":null,"userStatus":null,"themeCode":null,"subscriptionLevel":null,"followedStatus":"NOT_FOLLOWING","followerStatus":"NOT_FOLLOWING","blockedStatus":"NOT_BLOCKING","blockerStatus":"BLOCKING","postCount":null,"followersCount":null,"followedsCount":null,"email":null,"languageCode":null,"likesDisabled":null,"followCountsHidden":null,"followerUsers":null,"posts":null}}`,
			Then: []then{{"ben", `{ user(userId: "{ana}") { userStatus blockedStatus blockerStatus } }`, `{"user":{"userStatus":"ACTIVE","blockedStatus":"BLOCKING","blockerStatus":"NOT_BLOCKING"}}`}}},
		{Name: "a private user's publications", Given: []step{users("ana", "ben!"), does("ben", `mutation { setUserDetails(bio: "b", displayName: "B") { userId } }`)},
			As: "ana", Query: `{ user(userId: "{ben}") { displayName bio postCount followersCount followedCount followerUsers { nextToken } posts { nextToken } } }`,
			Want: `{"user":{"displayName":"B","bio":null,"postCount":0,"followersCount":null,"followedCount":null,"followerUsers":null,"posts":null}}`},
		{Name: "names and their status", Given: []step{users("ana")},
			As: "ana", Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "free_1.") c: usernameStatus(username: "a b") d: usernameStatus(username: "") }`,
			Want: `{"a":"NOT_AVAILABLE","b":"AVAILABLE","c":"INVALID","d":"INVALID"}`},
	})
}

func TestSetUserDetails(t *testing.T) {
	run(t, []scenario{
		{Name: "nothing given", Given: []step{users("ana")}, As: "ana", Query: `mutation { setUserDetails { userId } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?"},
		{Name: "nulls count as nothing", Given: []step{users("ana")}, As: "ana", Query: `mutation { setUserDetails(bio: null, username: null) { userId } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?"},
		{Name: "texts are set, kept and removed", Given: []step{users("ana"), does("ana", `mutation { setUserDetails(fullName: "Ana B", displayName: "A", bio: "hi", themeCode: "x", languageCode: "de", likesDisabled: true) { userId } }`)},
			As: "ana", Query: `mutation { setUserDetails(displayName: "", bio: "ho", languageCode: "") { fullName displayName bio themeCode languageCode likesDisabled } }`,
			Want: `{"setUserDetails":{"fullName":"Ana B","displayName":null,"bio":"ho","themeCode":"x","languageCode":"en","likesDisabled":true}}`,
			Then: []then{{"ana", `{ self { fullName displayName bio } }`, `{"self":{"fullName":"Ana B","displayName":null,"bio":"ho"}}`}}},
		{Name: "a new name frees the old one", Given: []step{users("ana", "ben")},
			As: "ana", Query: `mutation { setUserDetails(username: "Anna") { username } }`, Want: `{"setUserDetails":{"username":"Anna"}}`,
			Then: []then{{"ben", `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "Anna") }`, `{"a":"AVAILABLE","b":"NOT_AVAILABLE"}`},
				{"ben", `mutation { setUserDetails(username: "ana") { username } }`, `{"setUserDetails":{"username":"ana"}}`}}},
		{Name: "only the case of a name", Given: []step{users("ana")}, As: "ana", Query: `mutation { setUserDetails(username: "ANA") { username } }`,
			Want: `{"setUserDetails":{"username":"ANA"}}`},
		{Name: "somebody else's name changes nothing", Given: []step{users("ana", "ben")}, As: "ana", Query: `mutation { setUserDetails(username: "Ben", bio: "b") { username } }`,
			Error: "ClientError: Username `Ben` already taken (case-insensitive cmp)",
			Then:  []then{{"ana", `{ self { username bio } }`, `{"self":{"username":"ana","bio":null}}`}}},
		{Name: "an empty name", Given: []step{users("ana")}, As: "ana", Query: `mutation { setUserDetails(username: "") { username } }`, Error: "ClientError: Empty username"},
		{Name: "going public answers the requests", Given: []step{users("ana!", "ben", "cleo"), posts("ana", "p1"), follows("ben", "ana"), follows("cleo", "ana"),
			does("ana", `mutation { denyFollowerUser(userId: "{cleo}") { userId } }`)},
			As: "ana", Query: `mutation { setUserDetails(privacyStatus: PUBLIC) { privacyStatus followersCount requested: followersCount(followStatus: REQUESTED) } }`,
			Want:   `{"setUserDetails":{"privacyStatus":"PUBLIC","followersCount":1,"requested":0}}`,
			Events: map[social.EventKind]int{social.FollowMoved: 2},
			Then: []then{{"ben", `{ self { feed { items { postId } } } }`, `{"self":{"feed":{"items":[{"postId":"p1"}]}}}`},
				{"cleo", `{ user(userId: "{ana}") { followedStatus } }`, `{"user":{"followedStatus":"NOT_FOLLOWING"}}`}}},
		{Name: "a caller without a profile", Given: []step{func(w *world) { w.identity("ana") }}, As: "ana", Query: `mutation { setUserDetails(bio: "b") { userId } }`,
			Error: "ClientError: User `{ana}` does not exist"},
		{Name: "a text too long to keep", Given: []step{users("ana")}, As: "ana", Query: `mutation { setUserDetails(bio: "` + strings.Repeat("x", 65<<10) + `") { userId } }`,
			Error: "ClientError: bio is 66560 bytes long: shorten it to at most 65536"},
	})
}
