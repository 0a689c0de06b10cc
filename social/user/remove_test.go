package user_test

import (
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
)

const (
	deleteUser  = `mutation { deleteUser { userId username userStatus } }`
	resetUser   = `mutation { resetUser { userId username userStatus } }`
	disableUser = `mutation { disableUser { userId userStatus } }`
)

func TestDisableUser(t *testing.T) {
	Run(t, []Scenario{
		{Name: "users D1, D2 and D3 disabling oneself",
			Given: Users("ana", "ben").Follow("ana", "ben").Post("ana", "p1").Post("ben", "p2").Like("ana", "p2"), As: "ana", Query: disableUser,
			Want: `{"disableUser":{"userId":"{ana}","userStatus":"DISABLED"}}`, Counts: Counts{}, Events: Events{"user.status_moved": 1},
			Then: []Scenario{
				{
					As: "ben",
					Query: `{ user(userId: "{ana}") { userStatus } post(postId: "p1") { postId } liked: post(postId: "p2") { onymouslyLikedBy { items { username } } } ` +
						`self { followerUsers { items { username } } } }`,
					Want: `{"user":{"userStatus":"DISABLED"},"post":{"postId":"p1"},"liked":{"onymouslyLikedBy":{"items":[{"username":"ana"}]}},` +
						`"self":{"followerUsers":{"items":[{"username":"ana"}]}}}`,
				},
				{As: "ana", Query: `{ self { userStatus } }`, Want: `{"self":{"userStatus":"DISABLED"}}`},
				{Name: "again is no error", As: "ana", Query: disableUser, Want: `{"disableUser":{"userId":"{ana}","userStatus":"DISABLED"}}`, Events: Events{}},
				{
					Name:  "users U13 a disabled user changes nothing",
					As:    "ana",
					Query: `mutation { setUserDetails(bio: "b") { userId } }`,
					Error: "ClientError: User `{ana}` is not ACTIVE",
				},
			}},
		{Name: "somebody anonymous loses the upsell card", Given: Given{}.Anonymous("ana"), As: "ana", Query: disableUser, Counts: Counts{"ana.cardCount": -1},
			Want: `{"disableUser":{"userId":"{ana}","userStatus":"DISABLED"}}`},
		{Name: "nobody", Given: Given{}.Identity("ana"), As: "ana", Query: disableUser, Error: "ClientError: User `{ana}` does not exist"},
	})
	// users D1 and D2: disabling again keeps the time, and does not count as forced.
	Test(t, Users("ana"), func(w *World) {
		w.Must("ana", disableUser)
		profile := w.Get("main", "user/{ana}", "profile")
		at := profile["lastDisabledAt"]
		if at == nil || w.Get("main", "user/{ana}", "banned") != nil {
			w.T.Errorf("disabled at %v, ban %v", at, w.Get("main", "user/{ana}", "banned"))
		}
		w.Must("ana", disableUser)
		if again := w.Get("main", "user/{ana}", "profile")["lastDisabledAt"]; again != at {
			t.Errorf("disabled again at %v", again)
		}
	})
}

func TestDeleteUser(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ana", "ben").Follow("ben", "ana").Follow("cleo", "ana")
	Run(t, []Scenario{
		{Name: "users D4 a deleted user", Given: given, As: "ana", Query: deleteUser, Want: `{"deleteUser":{"userId":"{ana}","username":"ana","userStatus":"DELETING"}}`,
			Events: Events{"user.removed": 1, "follow.moved": 3},
			Then: []Scenario{
				{As: "ana", Query: `{ self { userId } }`, Error: "ClientError: User does not exist", Want: `null`},
				{As: "ana", Query: `{ user(userId: "{ben}") { username } }`, Want: `{"user":{"username":"ben"}}`},
				{As: "ana", Query: resetUser, Want: `{"resetUser":null}`},
				{As: "ana", Query: deleteUser, Error: "ClientError: User `{ana}` does not exist"},
				{
					As:    "ana",
					Query: `mutation { createCognitoOnlyUser(username: "ana") { userId } }`,
					Error: "ClientError: No entry found in cognito user pool with cognito username `{ana}`",
				},
				{
					As: "ben",
					Query: `{ user(userId: "{ana}") { userId } usernameStatus(username: "ana") self { followedUsers { items { userId } } followerUsers { items { userId } } ` +
						`followersCount followedsCount } }`,
					Want: `{"user":null,"usernameStatus":"AVAILABLE","self":{"followedUsers":{"items":[]},"followerUsers":{"items":[]},"followersCount":0,"followedsCount":0}}`,
				},
				{Name: "users D9 the address is free again",
					As: "ben", Query: `mutation { startChangeUserEmail(email: "ana@example.com") { email } }`, Want: `{"startChangeUserEmail":{"email":"ben@example.com"}}`},
			}},
		{Name: "a private user with requests", Given: Users("ana!private", "ben").Follow("ben", "ana"), As: "ana", Query: deleteUser,
			Events: Events{"follow.moved": 1}},
		{Name: "requests of theirs go with their card", Given: Users("ana", "ben!private").Follow("ana", "ben"), As: "ana", Query: deleteUser,
			Counts: Counts{"ben.followersRequestedCount": -1, "ben.cardCount": -1, "ana.cardCount": -1}},
		{Name: "denials, blocks and likes", As: "ana", Query: deleteUser,
			Given: Users(
				"ana",
				"ben",
				"cleo!private",
			).Follow("ana", "cleo").
				Deny("cleo", "ana").
				Block("ana", "ben").
				Block("cleo", "ana").
				Users("dan").
				Post("dan", "p1").
				Like("ana", "p1"),
			Counts: Counts{"p1.onymousLikeCount": -1},
			Then: []Scenario{{As: "cleo", Query: `{ self { blockedUsers { items { userId } } denied: followerUsers(followStatus: DENIED) { items { userId } } } }`,
				Want: `{"self":{"blockedUsers":{"items":[]},"denied":{"items":[]}}}`}}},
		{
			Name:  "somebody disabled",
			Given: Users("ana").Does("ana", disableUser),
			As:    "ana",
			Query: deleteUser,
			Want:  `{"deleteUser":{"userId":"{ana}","username":"ana","userStatus":"DELETING"}}`,
		},
		{Name: "somebody anonymous", Given: Given{}.Anonymous("ana"), As: "ana", Query: deleteUser, Counts: Counts{"ana.cardCount": -1}},
		{Name: "nobody", Given: Given{}.Identity("ana"), As: "ana", Query: deleteUser, Error: "ClientError: User `{ana}` does not exist"},
	})
	Test(t, Users("ana"), func(w *World) {
		w.Must("ana", deleteUser)
		if left := w.Get("main", "user/{ana}", "deleted"); left == nil || left["gsiA1PartitionKey"] != "userDeleted" || left["userId"] != string(w.ID("ana")) {
			w.T.Errorf("the tombstone is %v", left)
		}
		for _, key := range []string{"userEmail/ana@example.com", "user/{ana} profile"} {
			if left := w.Get("main", key, "-"); left != nil {
				w.T.Errorf("users D9: %s is left: %v", key, left)
			}
		}
	})
}

// users D5 and service E7: while a row still shows the removal, neither the user nor their content is in any
// list.
func TestRowsOfRemovedUsers(t *testing.T) {
	given := Users("ana", "ben").Follow("ana", "ben").Follow("ben", "ana").Post("ana", "p1")
	for _, status := range []social.UserStatus{social.UserDeleting, social.UserResetting} {
		Test(t, given.Status("ana", status), func(w *World) {
			w.Play(
				Scenario{
					As: "ben",
					Query: `{ user(userId: "{ana}") { userId } post(postId: "p1") { postId } self { feed { items { postId } } followedUsers { items { userId } } ` +
						`followerUsers { items { userId } } } }`,
					Want: `{"user":null,"post":null,"self":{"feed":{"items":[]},"followedUsers":{"items":[]},"followerUsers":{"items":[]}}}`,
				},
			)
			refusal(w, "ana", `{ self { userId } }`, "User does not exist")
		})
	}
}

func TestResetUser(t *testing.T) {
	reset := func(name string) string {
		return `mutation { resetUser(newUsername: "` + name + `") { userId username userStatus email fullName followedsCount cardCount } }`
	}
	fresh := `{"resetUser":{"userId":"{ana}","username":"anew","userStatus":"ACTIVE","email":"ana@example.com","fullName":null,"followedsCount":0,"cardCount":1}}`
	old := Users("ana", "ben").Follow("ana", "ben").Follow("ben", "ana").Details("ana", `fullName: "Ana"`)
	// Two transactions: the steps are not separate requests, so that the harness does not
	// fail calls between them.
	then := func(given Given, steps ...Scenario) Scenario {
		return Scenario{Given: given, As: "ana", Query: `{ self { userId } }`, Want: `{"self":{"userId":"{ana}"}}`, Then: steps}
	}
	named := func(name string, s Scenario) Scenario { s.Name = name; return s }
	RunStaffed(t, []Scenario{
		{Name: "users D5 and D8 a reset user", Given: old, As: "ana", Query: resetUser, Want: `{"resetUser":{"userId":"{ana}","username":"ana","userStatus":"RESETTING"}}`,
			Counts: Counts{"ben.followerCount": -1, "ben.followedCount": -1, "ana.followerCount": -1, "ana.followedCount": -1},
			Then: []Scenario{
				{As: "ana", Query: `{ self { userId } }`, Error: "ClientError: User does not exist"},
				{Name: "the name is free", As: "ben", Query: `mutation { setUserDetails(username: "ANA") { username } }`, Want: `{"setUserDetails":{"username":"ANA"}}`},
				{
					Name:  "the account is not",
					As:    "ben",
					Query: `mutation { startChangeUserEmail(email: "ana@example.com") { email } }`,
					Error: "ClientError: User email is already used by other",
				},
				{
					As:    "ana",
					Query: `mutation { createCognitoOnlyUser(username: "anew") { username email } }`,
					Want:  `{"createCognitoOnlyUser":{"username":"anew","email":"ana@example.com"}}`,
				},
			}},
		{Name: "users D5, anonymous", Given: Given{}.Anonymous("ana"), As: "ana", Query: resetUser, Error: "ClientError: Cannot reset user with status `ANONYMOUS`"},
		{Name: "users D6 without a profile", Given: Given{}.Identity("ana"), As: "ana", Query: resetUser, Want: `{"resetUser":null}`},
		{Name: "users D6 with a name", Given: Given{}.Identity("ana"), As: "ana", Query: reset("anew"), Want: fresh, Adds: true},
		{Name: "users D7, an empty name", Given: old, As: "ana", Query: `mutation { resetUser(newUsername: "") { userStatus } }`, Want: `{"resetUser":{"userStatus":"RESETTING"}}`},
		named("D7, D10", then(old.Post("ben", "p1").Like("ana", "p1").Post("ana", "p0"), Scenario{As: "ana", Query: reset("anew"), Want: fresh,
			Then: []Scenario{
				{As: "ana", Query: `{ self { username email fullName userStatus followedsCount followersCount cardCount cards { items { title } } } }`,
					Want: `{"self":{"username":"anew","email":"ana@example.com","fullName":null,"userStatus":"ACTIVE","followedsCount":0,"followersCount":0,"cardCount":1,` +
						`"cards":{"items":[{"title":"Add a profile photo"}]}}}`},
				{Name: "service E7 the former profile is in no list",
					As: "ben", Query: `{ former: post(postId: "p0") { postId } post(postId: "p1") { onymousLikeCount onymouslyLikedBy { items { userId } } } ` +
						`user(userId: "{ana}") { username followedStatus onymouslyLikedPosts { items { postId } } } }`,
					Want: `{"former":null,"post":{"onymousLikeCount":0,"onymouslyLikedBy":{"items":[]}},` +
						`"user":{"username":"anew","followedStatus":"NOT_FOLLOWING","onymouslyLikedPosts":{"items":[]}}}`},
			}})),
		named(
			"D10, the new follow of whom everybody follows",
			then(Users("hub").Users("ana"), Scenario{As: "ana", Query: `mutation { resetUser(newUsername: "anew") { username followedsCount } }`,
				Want: `{"resetUser":{"username":"anew","followedsCount":1}}`, Counts: Counts{},
				Then: []Scenario{
					{
						As:    "hub",
						Query: `{ self { followersCount followerUsers { items { username } } } }`,
						Want:  `{"self":{"followersCount":1,"followerUsers":{"items":[{"username":"anew"}]}}}`,
					},
				}}),
		),
		named(
			"D7, one's own name",
			then(
				old,
				Scenario{
					As:    "ana",
					Query: reset("ANA"),
					Want:  `{"resetUser":{"userId":"{ana}","username":"ANA","userStatus":"ACTIVE","email":"ana@example.com","fullName":null,"followedsCount":0,"cardCount":1}}`,
				},
			),
		),
		named(
			"D7, a name taken",
			then(
				old,
				Scenario{
					As:     "ana",
					Query:  reset("BEN"),
					Error:  "ClientError: Username `BEN` already taken (case-insensitive comparison)",
					Counts: Counts{"ben.followerCount": -1, "ben.followedCount": -1, "ana.followerCount": -1, "ana.followedCount": -1, "ana.cardCount": -1},
					Events: Events{"user.removed": 1, "follow.moved": 2},
					Then:   []Scenario{{As: "ana", Query: `{ self { userId } }`, Error: "ClientError: User does not exist"}, {As: "ana", Query: reset("anew"), Want: fresh}},
				},
			),
		),
		named("somebody disabled", then(old.Does("ana", disableUser), Scenario{As: "ana", Query: reset("anew"), Want: fresh})),
	})
}

// service E7: rows left by a former profile add nobody to lists, neither to those of others nor to
// those of the new profile.
func TestListsOfFormerProfiles(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Post("ben", "p2").
		Follow("ana", "ben").Follow("ben", "ana").
		Like("ana", "p2").Like("ben", "p1").ViewPost("ana", "p2")
	Test(t, given, func(w *World) {
		removed := Renew(w, "ana")
		for range 2 {
			Tells(w, "ben", `{ self { followedUsers { items { username } } followerUsers { items { username } } blockedUsers { items { username } } }
				post(postId: "p2") { onymouslyLikedBy { items { username } } viewedBy { items { username } } } }`,
				`{"self":{"followedUsers":{"items":[]},"followerUsers":{"items":[]},"blockedUsers":{"items":[]}},"post":{"onymouslyLikedBy":{"items":[]},"viewedBy":{"items":[]}}}`)
			Tells(
				w,
				"ana",
				`{ self { followedUsers { items { username } } followerUsers { items { username } } blockedUsers { items { username } } onymouslyLikedPosts { items { postId } } `+
					`cards { items { title } } } }`,
				`{"self":{"followedUsers":{"items":[]},"followerUsers":{"items":[]},"blockedUsers":{"items":[]},"onymouslyLikedPosts":{"items":[]},"cards":{"items":[]}}}`,
			)
			w.Deliver(removed)
		}
		Sound(w)
	})
	Test(t, Users("ana", "ben").Block("ben", "ana"), func(w *World) {
		Renew(w, "ana")
		Tells(w, "ben", `{ self { blockedUsers { items { username } } } }`, `{"self":{"blockedUsers":{"items":[]}}}`)
	})
}
