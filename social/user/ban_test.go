package user_test

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

func contacts(name, phone string) apptest.Account {
	return apptest.Account{Email: name + "@example.com", Phone: phone}
}

// banned is a setup with ben, who was banned with his contacts and device and then left,
// and ana, who is unrelated.
var banned = Given{}.Identity("ben", contacts("ben", "+15105551001")).Users("ben").
	And(Change("user/{ben}", "profile", map[string]any{"lastClient": map[string]any{"uid": "d1"}})).
	Users("mod").Block("mod", "ben").Gone("ben").Users("ana")

// Bans outlive the account, and disable new users with a banned contact or device.
func TestBanChecks(t *testing.T) {
	fromDevice := Change("user/{ana}", "profile", map[string]any{"lastClient": map[string]any{"uid": "d1"}})
	const email, phone, link = `mutation { startChangeUserEmail(email: "%s") { userId } }`, `mutation { startChangeUserPhoneNumber(phoneNumber: "%s") { userId } }`,
		`mutation { linkGoogleLogin(googleIdToken: "g1 %s") { userId } }`
	for _, c := range []struct {
		name   string
		device bool
		query  string
		value  string
		want   string
		ban    map[string]any
	}{
		{"e-mail", false, email, "ben@example.com", "User email is already banned and disabled", nil},
		{"phone", false, phone, "+15105551001", "User phone is already banned and disabled", nil},
		{"login", false, link, "ben@example.com", "User email is already banned and disabled", nil},
		{"device, with an e-mail", true, email, "new@example.com", "User device is already banned",
			map[string]any{"gsiA1PartitionKey": "email/new@example.com", "gsiA2PartitionKey": nil, "gsiA3PartitionKey": nil}},
		{"device comes before the e-mail", true, email, "ben@example.com", "User device is already banned",
			map[string]any{"gsiA1PartitionKey": "email/ben@example.com"}},
		{"device, with a phone", true, phone, "+15105551009", "User device is already banned",
			map[string]any{"gsiA1PartitionKey": nil, "gsiA2PartitionKey": "phone/+15105551009", "gsiA3PartitionKey": nil}},
		{"device, with a login", true, link, "new@example.com", "User device is already banned",
			map[string]any{"gsiA1PartitionKey": "email/new@example.com"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := banned
			if c.device {
				given = given.And(fromDevice)
			}
			TestStaffed(t, given, func(w *World) {
				refusal(w, "ana", replaced(c.query, c.value), c.want)
				w.Play(Scenario{As: "ana", Query: `{ self { userStatus email } }`, Want: `{"self":{"userStatus":"DISABLED","email":"ana@example.com"}}`})
				ban := w.Get("main", "user/{ana}", "banned")
				if (ban != nil) != (c.ban != nil) {
					w.T.Fatalf("the ban is %v", ban)
				}
				for attribute, want := range c.ban {
					if ban[attribute] != want || ban["forcedBy"] != "signUp" {
						w.T.Errorf("the ban has %s %v, want %v", attribute, ban[attribute], want)
					}
				}
			})
		})
	}
	Run(t, []Scenario{
		{Name: "nothing that is banned", Given: banned, As: "ana", Query: `{ self { email } }`, Want: `{"self":{"email":"ana@example.com"}}`,
			Then: []Scenario{{As: "ana", Query: replaced(email, "new@example.com"), Want: `{"startChangeUserEmail":{"userId":"{ana}"}}`}}},
		{Name: "not by createX", Given: banned.Identity("cem", contacts("ben", "+15105551001")), As: "cem", Query: `mutation { createCognitoOnlyUser(username: "cem") { userStatus } }`,
			Want: `{"createCognitoOnlyUser":{"userStatus":"ACTIVE"}}`},
	})
}

// users B9: whom a moderator blocks is banned, also if they disable or reset themselves
// before they are disabled. Their next profile was not blocked.
func TestBlockedByAModeratorAndGoneMeanwhile(t *testing.T) {
	for mutation, status := range map[string]string{
		`disableUser { userId }`:                    "DISABLED",
		`resetUser(newUsername: "anew") { userId }`: "ACTIVE",
	} {
		TestStaffed(t, Users("mod", "ana"), func(w *World) {
			other := w.Beside("other")
			disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 2, func() { other.Must("ana", "mutation { "+mutation+" }") }))
			w.Must("mod", `mutation { blockUser(userId: "{ana}") { userId } }`)
			if !disarm() {
				w.T.Fatal("she was disabled at once")
			}
			w.Settle()
			w.Play(Scenario{As: "ana", Query: `{ self { userStatus } }`, Want: `{"self":{"userStatus":"` + status + `"}}`})
			ban := w.Get("main", "user/{ana}", "banned")
			if ban["forcedBy"] != "blocked by REAL user" || ban["gsiA1PartitionKey"] != "email/ana@example.com" {
				w.T.Errorf("%s: the ban is %v", mutation, ban)
			}
		})
	}
}

func replaced(query, value string) string {
	for i := 0; i+1 < len(query); i++ {
		if query[i:i+2] == "%s" {
			return query[:i] + value + query[i+2:]
		}
	}
	return query
}

// chats 1.8 and 4.7: more than a tenth of forced deletions disables the author.
func TestForcedDisabling(t *testing.T) {
	block := `mutation { blockUser(userId: "{ana}") { userStatus } }`
	const blockMod = `mutation { blockUser(userId: "{mod}") { userStatus } }`
	modStays := []Scenario{{As: "mod", Query: `{ self { userStatus } }`, Want: `{"self":{"userStatus":"ACTIVE"}}`}}
	RunStaffed(t, []Scenario{
		{Name: "users B9 blocked by a moderator", Given: Users("mod", "ana"), As: "mod", Query: block, Want: `{"blockUser":{"userStatus":"ACTIVE"}}`,
			Then: []Scenario{{As: "mod", Query: `{ user(userId: "{ana}") { userStatus } }`, Want: `{"user":{"userStatus":"DISABLED"}}`}}},
		{Name: "users B9 blocked by an operator", Given: Users("ozzy", "ana"), As: "ozzy", Query: block,
			Then: []Scenario{{As: "ozzy", Query: `{ user(userId: "{ana}") { userStatus } }`, Want: `{"user":{"userStatus":"DISABLED"}}`}}},
		{Name: "users B9 blocking a moderator", Given: Users("mod", "ana"), As: "ana", Query: blockMod, Want: `{"blockUser":{"userStatus":"ACTIVE"}}`,
			Then: []Scenario{{As: "ana", Query: `{ self { userStatus } user(userId: "{mod}") { userStatus } }`, Want: `{"self":{"userStatus":"ACTIVE"},"user":{"userStatus":"ACTIVE"}}`}}},
		{Name: "users B9 a moderator blocked by another", Given: Users("mod", "ozzy"), As: "ozzy", Query: blockMod, Then: modStays},
		{Name: "blocked by names that once had power", Given: Users("real", "ian", "ana").Block("ian", "ana"), As: "real", Query: block,
			Then: []Scenario{{As: "ana", Query: `{ self { userStatus } }`, Want: `{"self":{"userStatus":"ACTIVE"}}`}}},
	})
	TestStaffed(t, Users("mod", "ana").Block("mod", "ana"), func(w *World) {
		if ban := w.Get("main", "user/{ana}", "banned"); ban["forcedBy"] != "blocked by REAL user" {
			w.T.Errorf("users B9: the ban is %v", ban)
		}
	})
	for _, c := range []struct {
		name   string
		counts map[string]any
		kind   social.ContentKind
		want   string
	}{
		{"comments", map[string]any{"commentCount": 5, "commentDeletedCount": 1, "commentForcedDeletionCount": 1}, social.ForcedComments, "DISABLED"},
		{"few comments", map[string]any{"commentCount": 4, "commentDeletedCount": 1, "commentForcedDeletionCount": 1}, social.ForcedComments, "ACTIVE"},
		{"messages", map[string]any{"chatMessagesCreationCount": 6, "chatMessagesForcedDeletionCount": 1}, social.ForcedChatMessages, "DISABLED"},
		{"posts", map[string]any{"postCount": 5, "postArchivedCount": 1, "postForcedArchivingCount": 1}, social.ForcedPosts, "DISABLED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			Test(t, Users("ana").And(Change("user/{ana}", "profile", c.counts)), func(w *World) {
				w.Deliver(social.ContentForciblyRemoved{UserID: w.ID("ana"), Kind: c.kind})
				const self = `{ self { userStatus } }`
				w.Compare(self, w.Must("ana", self).Data, `{"self":{"userStatus":"`+c.want+`"}}`)
				ban := w.Get("main", "user/{ana}", "banned")
				if (ban != nil) != (c.want == "DISABLED") {
					w.T.Fatalf("the ban is %v", ban)
				}
				if ban != nil && (ban["forcedBy"] != string(c.kind) || ban["gsiA1PartitionKey"] != "email/ana@example.com" || ban["username"] != "ana") {
					w.T.Errorf("the ban is %v", ban)
				}
			})
		})
	}
}
