package resolvers_test

import (
	"encoding/json"
	"regexp"
	"testing"

	. "stoa/social/socialtest"
)

// users T2 and A7: what callers without an account can do, and how they get one.
func TestCreateAnonymousUser(t *testing.T) {
	const create = `mutation { createAnonymousUser { TokenType ExpiresIn } }`
	RunStaffed(t, []Scenario{
		{Name: "a profile without contacts, and its card", Given: Given{}.Stranger("ana"), As: "ana", Query: create,
			Want:   `{"createAnonymousUser":{"TokenType":"Bearer","ExpiresIn":3600}}`,
			Events: Events{"user.created": 1}, Counts: Counts{"ana.cardCount": 1}, Adds: true, // a name of chance
			Then: []Scenario{{As: "ana", Query: `{ self { userStatus email phoneNumber fullName privacyStatus signedUpAt cardCount cards { items { title action } } } }`,
				Want: `{"self":{"userStatus":"ANONYMOUS","email":null,"phoneNumber":null,"fullName":null,"privacyStatus":"PUBLIC","signedUpAt":"2026-01-01T12:00:01.000Z","cardCount":1,
					"cards":{"items":[{"title":"Reserve your username & sign up!","action":"https://app.example/signup/{ana}"}]}}}`}}},
		{
			Name:   "follows whom everybody follows",
			Given:  Users("hub").Stranger("ana"),
			As:     "ana",
			Query:  create,
			Counts: Counts{"hub.followerCount": 1, "ana.followedCount": 1},
			Adds:   true,
		},
		{Name: "an account of its own stands in the way", Given: Given{}.Identity("ana"), As: "ana", Query: create,
			Error: "ClientError: An account for userId `{ana}` already exists"},
		{Name: "a second time", Given: Given{}.Anonymous("ana"), As: "ana", Query: create,
			Error: "ClientError: An account for userId `{ana}` already exists"},
		{Name: "a second time in another way", Given: Given{}.Anonymous("ana"), As: "ana", Query: `mutation { createCognitoOnlyUser(username: "ana") { userId } }`,
			Error: "ClientError: User `{ana}` has neither verified email nor phone"},
		{Name: "users A22 and what is open to both", Given: Given{}.Anonymous("ana"), As: "ana", Query: `mutation { setUserDetails(bio: "b") { userId } }`,
			Error: "ClientError: User `{ana}` is not ACTIVE"},
	})
	Test(t, Given{}.Stranger("ana").Stranger("ben"), func(w *World) {
		var tokens struct {
			CreateAnonymousUser struct{ AccessToken, IdToken, RefreshToken string }
		}
		if err := json.Unmarshal(w.Must("ana", `mutation { createAnonymousUser { AccessToken IdToken RefreshToken } }`).Data, &tokens); err != nil {
			w.T.Fatal(err)
		}
		for _, token := range []string{tokens.CreateAnonymousUser.AccessToken, tokens.CreateAnonymousUser.IdToken} {
			if id, err := w.Host.Authenticator.Authenticate(w.T.Context(), "Bearer "+token); id != w.ID("ana") || err != nil {
				w.T.Errorf("the token is of %q, %v", id, err)
			}
		}
		var self struct{ Self struct{ Username string } }
		if err := json.Unmarshal(w.Must("ana", `{ self { username } }`).Data, &self); err != nil {
			w.T.Fatal(err)
		}
		if !regexp.MustCompile(`^user_[0-9a-hjkmnp-tv-z]{12}$`).MatchString(self.Self.Username) {
			w.T.Errorf("called %s", self.Self.Username)
		}
	})
}

// users A10 and the order of checks for users with a third-party login.
func TestCreateUsersWithLogins(t *testing.T) {
	for _, c := range []struct{ mutation, argument string }{
		{"createAppleUser", "appleIdToken"}, {"createFacebookUser", "facebookAccessToken"}, {"createGoogleUser", "googleIdToken"},
	} {
		create := func(username, token string) string {
			return `mutation { answer: ` + c.mutation + `(username: "` + username + `", fullName: "Ana B", ` + c.argument + `: "` + token + `") { userId username fullName email ` +
				`phoneNumber userStatus } }`
		}
		made := `{"answer":{"userId":"{ana}","username":"Ana","fullName":"Ana B","email":"ana@example.org","phoneNumber":null,"userStatus":"ACTIVE"}}`
		stranger := Given{}.Stranger("ana")
		t.Run(c.mutation, func(t *testing.T) {
			Run(t, []Scenario{
				{Name: "makes an account with the e-mail", Given: stranger, As: "ana", Query: create("Ana", "s1 ana@example.org"), Want: made,
					Counts: Counts{"ana.cardCount": 1}, Events: Events{"user.created": 1},
					Then: []Scenario{
						{Name: "again", As: "ana", Query: create("Ana", "s1 ana@example.org"), Error: "ClientError: An account for userId `{ana}` already exists"},
						{
							Name:  "again with another name",
							As:    "ana",
							Query: create("Anna", "s1 ana@example.org"),
							Error: "ClientError: An account for userId `{ana}` already exists",
						},
						{
							Name:  "again in another way",
							As:    "ana",
							Query: `mutation { createCognitoOnlyUser(username: "Anna") { userId } }`,
							Error: "ClientError: User `{ana}` already exists",
						},
					}},
				{Name: "a bad name comes before a bad token", Given: stranger, As: "ana", Query: create("a!", "none"), Error: "ClientError: Username `a!` does not validate"},
				{Name: "no name", Given: stranger, As: "ana", Query: create("", "none"), Error: "ClientError: Empty username"},
				{Name: "a bad token comes before a name taken", Given: stranger.Users("ben"), As: "ana", Query: create("BEN", "none"),
					Error: "ClientError: " + loginOf[c.mutation] + " does not vouch for none"},
				{
					Name:  "a name taken in another case",
					Given: stranger.Users("ben"),
					As:    "ana",
					Query: create("BEN", "s1 ben@example.com"),
					Error: "ClientError: Username `BEN` already taken",
				},
				{
					Name:  "an e-mail taken",
					Given: stranger.Users("ben"),
					As:    "ana",
					Query: create("Ana", "s1 ben@example.com"),
					Error: "ClientError: Email `ben@example.com` already taken",
				},
				{
					Name:  "a login taken",
					Given: stranger.Stranger("ben").Does("ben", `mutation { %s(username: "ben", %s: "s1 ben@example.org") { userId } }`, c.mutation, c.argument),
					As:    "ana",
					Query: create("Ana", "s1 ana@example.org"),
					Error: "ClientError: Failed to link identity pool entries: the login is linked to another identity",
					Then:  []Scenario{{As: "ana", Query: create("Ana", "s2 ana@example.org"), Want: made}},
				},
				{Name: "somebody with an account", Given: Given{}.Identity("ana"), As: "ana", Query: create("Ana", "s1 ana@example.org"),
					Error: "ClientError: An account for userId `{ana}` already exists"},
				{Name: "the name goes meanwhile", Given: stranger.Stranger("ben"), As: "ana", Query: create("Ana", "s1 ana@example.org"),
					Meanwhile: Given{}.Does("ben", `mutation { createGoogleUser(username: "aNA", googleIdToken: "s2 ben@example.org") { userId } }`),
					Error:     "ClientError: Username `Ana` already taken",
					Then: []Scenario{
						{
							As:    "ana",
							Query: create("Ana2", "s1 ana@example.org"),
							Want:  `{"answer":{"userId":"{ana}","username":"Ana2","fullName":"Ana B","email":"ana@example.org","phoneNumber":null,"userStatus":"ACTIVE"}}`,
						},
					}},
			})
		})
	}
}

var loginOf = map[string]string{"createAppleUser": "apple", "createFacebookUser": "facebook", "createGoogleUser": "google"}

// chats 5.2#6, 5.3#24-25: linking a login replaces the upsell card by the one for a photo.
func TestLinkLogins(t *testing.T) {
	for _, c := range []struct{ mutation, argument, provider string }{
		{"linkAppleLogin", "appleIdToken", "apple"}, {"linkFacebookLogin", "facebookAccessToken", "facebook"}, {"linkGoogleLogin", "googleIdToken", "google"},
	} {
		link := func(token string) string {
			return `mutation { answer: ` + c.mutation + `(` + c.argument + `: "` + token + `") { userId email userStatus } }`
		}
		t.Run(c.mutation, func(t *testing.T) {
			Run(t, []Scenario{
				{Name: "ends anonymity", Given: Given{}.Anonymous("ana"), As: "ana", Query: link("s1 ana@example.org"),
					Want:   `{"answer":{"userId":"{ana}","email":"ana@example.org","userStatus":"ACTIVE"}}`,
					Counts: Counts{}, Events: Events{"user.status_moved": 1},
					Then: []Scenario{
						{As: "ana", Query: `{ self { email userStatus cardCount cards { items { title } } } }`,
							Want: `{"self":{"email":"ana@example.org","userStatus":"ACTIVE","cardCount":1,"cards":{"items":[{"title":"Add a profile photo"}]}}}`},
						{Name: "the same login again changes nothing", As: "ana", Query: link("s1 ana@example.org"), Counts: Counts{}, Events: Events{},
							Want: `{"answer":{"userId":"{ana}","email":"ana@example.org","userStatus":"ACTIVE"}}`},
					}},
				{Name: "an e-mail is kept", Given: Users("ana"), As: "ana", Query: link("s1 ana@example.org"), Events: Events{},
					Want: `{"answer":{"userId":"{ana}","email":"ana@example.com","userStatus":"ACTIVE"}}`},
				{Name: "one's own e-mail", Given: Users("ana"), As: "ana", Query: link("s1 ana@example.com"),
					Want: `{"answer":{"userId":"{ana}","email":"ana@example.com","userStatus":"ACTIVE"}}`},
				{Name: "somebody else's e-mail", Given: Users("ben").Anonymous("ana"), As: "ana", Query: link("s1 ben@example.com"),
					Error: "ClientError: User federated login email is already used by other"},
				{Name: "somebody else's login", Given: Users("ben").Does("ben", "%s", link("s1 b@example.org")).Anonymous("ana"), As: "ana", Query: link("s1 ana@example.org"),
					Error: "ClientError: Failed to link identity pool entries: the login is linked to another identity",
					Then:  []Scenario{{As: "ana", Query: `{ self { email userStatus } }`, Want: `{"self":{"email":null,"userStatus":"ANONYMOUS"}}`}}},
				{Name: "a bad token", Given: Users("ana"), As: "ana", Query: link("none"), Error: "ClientError: " + c.provider + " does not vouch for none"},
				{Name: "the caller is disabled meanwhile", Given: Given{}.Anonymous("ana"), As: "ana", Query: link("s1 ana@example.org"),
					Meanwhile: Given{}.Status("ana", "DISABLED"), Error: "ClientError: User `{ana}` is not ACTIVE or ANONYMOUS"},
			})
		})
	}
}
