package user_test

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/social/app"
	. "stoa/social/socialtest"
)

func TestNobodyTakesAReservedUsername(t *testing.T) {
	reserved := With(func(o *app.Options) { o.ReservedUsernames = []string{"admin", "Support"} })
	apptest.Run(t, reserved, []Scenario{
		{Name: "by signing up", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { createCognitoOnlyUser(username: "Admin") { username } }`,
			Error: "ClientError: Username `Admin` already taken (case-insensitive comparison)",
			Then:  []Scenario{{As: "ana", Query: `{ usernameStatus(username: "support") }`, Want: `{"usernameStatus":"NOT_AVAILABLE"}`}}},
		{Name: "by another name, which comes before other mistakes", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(username: "SUPPORT", gender: MALE, height: -1) { username } }`,
			Error: "ClientError: Username `SUPPORT` already taken (case-insensitive cmp)"},
		{Name: "names that hold one are free", Given: Users("ana"), As: "ana", Query: `mutation { setUserDetails(username: "admin2") { username } }`, Want: `{"setUserDetails":{"username":"admin2"}}`, Adds: true},
	}, Options()...)
}
