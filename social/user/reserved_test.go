package user_test

import (
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// The username of whom everybody follows is free for moderators alone.
func TestOnlyModeratorsTakeTheHubsUsername(t *testing.T) {
	const taken, cmp = "ClientError: Username `hub` already taken (case-insensitive comparison)", "ClientError: Username `Hub` already taken (case-insensitive cmp)"
	const status = `{ usernameStatus(username: "hub") }`
	const call = `mutation { createCognitoOnlyUser(username: "hub") { username } }`
	renamed := Users("mod").Does("mod", `mutation { setUserDetails(username: "hub") { username } }`)
	RunStaffed(t, []Scenario{
		{Name: "a stranger by signing up", Given: Given{}.Identity("ana"), As: "ana", Query: call, Error: taken,
			Then: []Scenario{{As: "ana", Query: status, Want: `{"usernameStatus":"NOT_AVAILABLE"}`}}},
		{Name: "a stranger by another name", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(username: "Hub") { username } }`, Error: cmp},
		{Name: "a stranger by a reset", Given: Users("ana"), As: "ana", Query: `mutation { resetUser(newUsername: "hub") { username } }`, Error: taken,
			Counts: Counts{"ana.cardCount": -1}, Events: Events{"user.removed": 1}},
		{Name: "a moderator by signing up", Given: Given{}.Identity("mod"), As: "mod", Query: call, Want: `{"createCognitoOnlyUser":{"username":"hub"}}`, Adds: true},
		{Name: "a moderator is told so", Given: Given{}.Identity("ozzy"), As: "ozzy", Query: status, Want: `{"usernameStatus":"AVAILABLE"}`},
		{
			Name:  "a moderator by another name",
			Given: Users("mod"),
			As:    "mod",
			Query: `mutation { setUserDetails(username: "hub") { username } }`,
			Want:  `{"setUserDetails":{"username":"hub"}}`,
			Adds:  true,
		},
		{
			Name:  "whoever has it keeps it",
			Given: renamed,
			As:    "mod",
			Query: `mutation { setUserDetails(username: "hub", bio: "b") { username } }`,
			Want:  `{"setUserDetails":{"username":"hub"}}`,
		},
		{Name: "another moderator while it is held", Given: renamed.Identity("ozzy"), As: "ozzy", Query: call, Error: taken},
		{
			Name:  "another moderator after its owner left",
			Given: renamed.Does("mod", `mutation { deleteUser { userId } }`).Identity("ozzy").Identity("ana"),
			As:    "ana",
			Query: call,
			Error: taken,
			Then:  []Scenario{{As: "ozzy", Query: call, Want: `{"createCognitoOnlyUser":{"username":"hub"}}`, Adds: true}},
		},
		{Name: "names that once had power are free", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { createCognitoOnlyUser(username: "real") { username } }`,
			Want: `{"createCognitoOnlyUser":{"username":"real"}}`, Adds: true},
	})
}

// The user may be named by id, which reserves nothing.
func TestTheHubByUserID(t *testing.T) {
	byID := With(func(o *app.Options) { o.FollowedByAll = "us-east-1:00000000-0000-4000-8000-000000000001" })
	apptest.Run(t, byID, []Scenario{
		{
			Name:  "is followed",
			Given: Users("ana", "ben").Identity("hub"),
			As:    "hub",
			Query: `mutation { createCognitoOnlyUser(username: "hub") { followedUsers { items { username } } } }`,
			Want:  `{"createCognitoOnlyUser":{"followedUsers":{"items":[{"username":"ana"}]}}}`,
			Adds:  true,
			Then:  []Scenario{{As: "ana", Query: `{ self { followersCount followedsCount } }`, Want: `{"self":{"followersCount":2,"followedsCount":0}}`}},
		},
		{Name: "may be missing", Given: Given{}.Identity("gone").Users("ben"), As: "ben", Query: `{ self { followedsCount } }`, Want: `{"self":{"followedsCount":0}}`},
	}, Options()...)
}

func TestNobodyTakesAReservedUsername(t *testing.T) {
	reserved := With(func(o *app.Options) { o.ReservedUsernames = []string{"admin", "Support"} })
	apptest.Run(t, reserved, []Scenario{
		{Name: "by signing up", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { createCognitoOnlyUser(username: "Admin") { username } }`,
			Error: "ClientError: Username `Admin` already taken (case-insensitive comparison)",
			Then:  []Scenario{{As: "ana", Query: `{ usernameStatus(username: "support") }`, Want: `{"usernameStatus":"NOT_AVAILABLE"}`}}},
		{
			Name:  "by another name, which comes before other mistakes",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { setUserDetails(username: "SUPPORT", gender: MALE, height: -1) { username } }`,
			Error: "ClientError: Username `SUPPORT` already taken (case-insensitive cmp)",
		},
		{
			Name:  "names that hold one are free",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { setUserDetails(username: "admin2") { username } }`,
			Want:  `{"setUserDetails":{"username":"admin2"}}`,
			Adds:  true,
		},
	}, Options()...)
}
