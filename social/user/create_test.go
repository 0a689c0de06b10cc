package user_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/ops"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// create returns a mutation that creates a user's profile.
func create(username, fullName, selection string) string {
	return fmt.Sprintf(`mutation { createCognitoOnlyUser(username: %q, fullName: %q) { %s } }`, username, fullName, selection)
}

// users A11: usernames keep their spelling.
func TestCreate(t *testing.T) {
	given := Given{}.Identity("ana", contacts("ana", "+15105551000")).And(func(w *World) {
		w.Put(store.Main.Name, map[string]any{
			"partitionKey": "user/" + string(w.ID("ana")), "sortKey": "deleted", "schemaVersion": 0, "userId": string(w.ID("ana")), "deletedAt": "2025-01-01T00:00:00.000000Z",
			"gsiA1PartitionKey": "userDeleted", "gsiA1SortKey": "2025-01-01T00:00:00.000000Z",
		})
	})
	Run(t, []Scenario{{
		Name: "the answer", Given: given, As: "ana", Query: create("Ana.B", "Ana", `username fullName email phoneNumber userStatus signedUpAt followedStatus cardCount cards { items `+
			`{ title } }`), Events: Events{"user.created": 1}, Adds: true, Lags: true,
		Want: `{"createCognitoOnlyUser":{"username":"Ana.B","fullName":"Ana","email":"ana@example.com","phoneNumber":"+15105551000","userStatus":"ACTIVE",` +
			`"signedUpAt":"2026-01-01T12:00:01.000Z","followedStatus":"SELF","cardCount":1,"cards":{"items":[{"title":"Add a profile photo"}]}}}`,
	}})
	Test(t, given, func(w *World) {
		w.Advance(1e3)
		from(w, "ana", create("Ana.B", "Ana", "userId"), map[string]string{"X-Real-Version": "1"})
		want := &social.User{
			UserID: w.ID("ana"), Username: "Ana.B", FullName: "Ana", Email: "ana@example.com", PhoneNumber: "+15105551000",
			Privacy: social.Public, SignedUpAt: w.Now(), LastClient: map[string]string{"version": "1"},
			CardCount: 1, // to add a photo
		}
		if got := profile(w, "ana"); !reflect.DeepEqual(got, want) {
			w.T.Errorf("stored %+v, want %+v", got, want)
		}
		for _, key := range []string{"userEmail/ana@example.com", "userPhoneNumber/+15105551000"} {
			if got := w.Get(store.Main.Name, key, "-"); got["userId"] != string(w.ID("ana")) {
				w.T.Errorf("%s leads to %v", key, got)
			}
		}
		if left := w.Get(store.Main.Name, "user/{ana}", "deleted"); left != nil {
			w.T.Errorf("the tombstone is left: %v", left)
		}
	})
}

func TestCreateWithoutAClientStoresAnEmptyOne(t *testing.T) {
	Test(t, Given{}.Identity("ana"), func(w *World) {
		w.Play(Scenario{As: "ana", Query: create("ana", "", "fullName"), Want: `{"createCognitoOnlyUser":{"fullName":null}}`})
		if got := profile(w, "ana").LastClient; got == nil || len(got) != 0 {
			w.T.Errorf("stored client %v", got)
		}
	})
}

func TestCreateRefusals(t *testing.T) {
	given := Users("Ana").Identity("ben").Stranger("unknown").Identity("unverified").And(func(w *World) {
		// A user who has signed in, and whose account has no addresses.
		accounts := ops.Open(w.DB).Identities
		before, _, err := accounts.Identity(context.Background(), w.ID("unverified"))
		if err != nil {
			w.T.Fatal(err)
		}
		after := identity.Identity{UserID: before.UserID, Entered: true, CreatedAt: before.CreatedAt, Revision: before.Revision + 1}
		if err := accounts.SaveIdentity(context.Background(), before, after); err != nil {
			w.T.Fatal(err)
		}
	})
	Test(t, given, func(w *World) {
		for _, c := range []struct{ name, as, username, fullName, want string }{
			{"no name", "unknown", "", "", "Empty username"},
			{"bad name", "unknown", "a!", "", "Username `a!` does not validate"},
			{"no account", "unknown", "Ana", "", "No entry found in cognito user pool with cognito username `{unknown}`"},
			{"no contact", "unverified", "Ana", "", "User `{unverified}` has neither verified email nor phone"},
			{"users A11 a name taken", "ben", "aNA", "", "Username `aNA` already taken (case-insensitive comparison)"},
			{"long full name", "ben", "benny", strings.Repeat("x", social.MaxProfileText+1), "fullName is 65537 bytes long: shorten it to at most 65536"},
			{"again, same name", "Ana", "Ana", "", "User `{Ana}` already exists"},
			{"again, other name", "Ana", "other", "", "User `{Ana}` already exists"},
		} {
			w.T.Log(c.name)
			w.Play(Scenario{As: c.as, Query: create(c.username, c.fullName, "userId"), Error: "ClientError: " + c.want})
		}
		w.Play(
			Scenario{
				As:    "Ana",
				Query: `{ a: usernameStatus(username: "ana") b: usernameStatus(username: "other") c: usernameStatus(username: "benny") }`,
				Want:  `{"a":"NOT_AVAILABLE","b":"AVAILABLE","c":"AVAILABLE"}`,
			},
		)
		if profile(w, "ben") != nil {
			w.T.Error("a refused user has a profile")
		}
	})
}

// race_test.go tests many users who want the same name. users B8
func TestNewUsersFollowTheHub(t *testing.T) {
	const look = `{ user(userId: "{ana}") { followerStatus } }`
	signUp := create("ana", "", "followedsCount")
	follows, asks := Counts{
		"hub.followerCount":           1,
		"hub.followersRequestedCount": 0,
		"ana.followedCount":           1,
	}, Counts{
		"hub.followerCount":           0,
		"hub.followersRequestedCount": 1,
		"ana.followedCount":           0,
	}
	status := func(as, s string) []Scenario {
		return []Scenario{{As: as, Query: look, Want: `{"user":{"followerStatus":"` + s + `"}}`}}
	}
	none := Counts{"hub.followerCount": 0, "hub.followersRequestedCount": 0, "ana.followedCount": 0}
	RunStaffed(t, []Scenario{
		{Name: "public", Given: Users("hub").Identity("ana"), As: "ana", Query: signUp, Want: `{"createCognitoOnlyUser":{"followedsCount":1}}`, Adds: true,
			Counts: follows, Events: Events{"user.created": 1, "follow.moved": 1}, Then: status("hub", "FOLLOWING")},
		{Name: "private", Given: Users("hub!private").Identity("ana"), As: "ana", Query: signUp, Want: `{"createCognitoOnlyUser":{"followedsCount":0}}`, Adds: true,
			Counts: asks, Events: Events{"user.created": 1, "follow.moved": 1}, Then: status("hub", "REQUESTED")},
		{
			Name:   "disabled",
			Given:  Users("hub").Status("hub", social.UserDisabled).Identity("ana"),
			As:     "ana",
			Query:  signUp,
			Want:   `{"createCognitoOnlyUser":{"followedsCount":0}}`,
			Adds:   true,
			Counts: none,
			Events: Events{"user.created": 1, "follow.moved": 0},
			Then:   status("hub", "NOT_FOLLOWING"),
		},
		{
			Name:   "spelled otherwise",
			Given:  Given{}.Identity("hub").Does("hub", `mutation { createCognitoOnlyUser(username: "Hub") { userId } }`).Identity("ana"),
			As:     "ana",
			Query:  signUp,
			Want:   `{"createCognitoOnlyUser":{"followedsCount":0}}`,
			Adds:   true,
			Counts: Counts{"hub.followerCount": 0, "ana.followedCount": 0},
			Events: Events{"user.created": 1, "follow.moved": 0},
			Then:   status("hub", "NOT_FOLLOWING"),
		},
		{Name: "there is none", Given: Users("real").Identity("ana"), As: "ana", Query: signUp, Want: `{"createCognitoOnlyUser":{"followedsCount":0}}`, Adds: true,
			Counts: Counts{"real.followerCount": 0, "ana.followedCount": 0}, Events: Events{"user.created": 1, "follow.moved": 0}, Then: status("real", "NOT_FOLLOWING")},
		{
			Name:   "not itself",
			Given:  Given{}.Identity("hub"),
			As:     "hub",
			Query:  create("hub", "", "followedsCount"),
			Want:   `{"createCognitoOnlyUser":{"followedsCount":0}}`,
			Adds:   true,
			Counts: Counts{"hub.followerCount": 0, "hub.followedCount": 0},
			Events: Events{"user.created": 1, "follow.moved": 0},
		},
		{Name: "who goes private meanwhile", Given: Users("hub").Identity("ana"), Meanwhile: Given{}.Details("hub", "privacyStatus: PRIVATE"), As: "ana", Query: signUp,
			Want: `{"createCognitoOnlyUser":{"followedsCount":0}}`, Counts: asks, Then: status("hub", "REQUESTED")},
	})
}
