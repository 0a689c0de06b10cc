package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities/app"
)

// communities 5.2#3 and 8#tokens: a token ends with its time, its session and its password;
// a refresh token is used once.
func TestTokensEnd(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "oz")
		me := "{ me { id } }"
		if got := w.Status("", me); got != http.StatusUnauthorized {
			t.Errorf("without a token: %d", got)
		}
		first := w.Does("", login, vars{"l": "A@example.com", "p": password})
		second := w.Does("", refresh, vars{"r": first.Text("login.refreshToken")})
		w.Does("", refresh, vars{"r": second.Text("refreshSession.refreshToken")})
		w.Refused("UNAUTHENTICATED", "", refresh, vars{"r": second.Text("refreshSession.refreshToken")}) // used twice
		third := w.Does("", login, vars{"l": "a", "p": password})
		old := w.Token("a")
		w.Does("a", `mutation { revokeSessions }`)
		if got := w.Status(old, me); got != http.StatusUnauthorized {
			t.Errorf("with a revoked token: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "", refresh, vars{"r": third.Text("login.refreshToken")})
		w.Refused("UNAUTHENTICATED", "", login, vars{"l": "a", "p": "wrong horse"})
		w.Refused("UNAUTHENTICATED", "", login, vars{"l": "nobody", "p": password})
		w.logsIn("a")
		const change = `mutation($c: String!, $n: String!) { changePassword(current: $c, new: $n) }`
		w.Refused("FORBIDDEN WRONG_PASSWORD", "a", change, vars{"c": "wrong horse", "n": "another horse"})
		w.Refused("BAD_INPUT INVALID_PASSWORD", "a", change, vars{"c": password, "n": "short"})
		old = w.Token("a")
		w.Does("a", change, vars{"c": password, "n": "another horse"})
		if got := w.Status(old, me); got != http.StatusUnauthorized {
			t.Errorf("after another password: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "", login, vars{"l": "a", "p": password})
		in := w.Does("", login, vars{"l": "a", "p": "another horse"})
		w.knows("a", in, "login")
		w.Does("oz", `mutation($u: ID!) { banUser(userId: $u) { id } }`, vars{"u": w.ids["a"]})
		w.Refused("UNAUTHENTICATED", "", refresh, vars{"r": in.Text("login.refreshToken")})
		w.Asked("a", "{ me { username } }", nil, "me.username", `"a"`)
		w.Advance(time.Hour)
		if got := w.Status(w.Token("a"), me); got != http.StatusUnauthorized {
			t.Errorf("after an hour: %d", got)
		}
		w.Whole()
	})
}

// communities 8#tokens: those of another audience are nobody's here, and ours nobody's there.
func TestTokensOfOtherAudiences(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		for audience, want := range map[string]int{app.Name: 200, "pantry": 401, "stoa": 401} {
			realm, err := w.Host.Realm(t.Context(), audience, time.Hour, nil)
			if err != nil {
				t.Fatal(err)
			}
			token, _, err := realm.Sessions.Token(t.Context(), "none", identity.Grant{Life: time.Hour})
			if audience == app.Name {
				token, _, err = realm.Sessions.Token(t.Context(), viewer.UserID(w.ids["a"]), identity.Grant{Life: time.Hour})
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := w.Status(token, `{ me { id } }`); got != want {
				t.Errorf("a token for %s: %d, want %d", audience, got, want)
			}
		}
		pantry, err := w.Host.Realm(t.Context(), "pantry", time.Hour, nil)
		if err != nil {
			t.Fatal(err)
		}
		id, err := pantry.Tokens.Authenticate(t.Context(), w.Token("a"))
		const hint = "The system pantry has accounts of its own, and this token is of another: sign in with its mutation login."
		if err == nil || !strings.HasSuffix(err.Error(), hint) {
			t.Errorf("pantry answers %s, %v", id, err)
		}
		// A refresh token of another system is not valid here.
		other, err := pantry.Sessions.Begin(t.Context(), "somebody", 0)
		if err != nil {
			t.Fatal(err)
		}
		w.Refused("UNAUTHENTICATED", "", refresh, vars{"r": other.RefreshToken})
	})
}

// communities 8#tokens: whoever signs in need not be signed in, however old their token is.
func TestSigningInWithABadToken(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		in := w.Does("", login, vars{"l": "a", "p": password})
		w.SignIn("stranger", "expired")
		w.Does("stranger", refresh, vars{"r": in.Text("login.refreshToken")})
		w.Refused("UNAUTHENTICATED", "stranger", login, vars{"l": "a", "p": "wrong horse"})
		if got := w.Status("expired", `mutation { login(login: "a", password: "x") { accessToken } revokeSessions }`); got != 401 {
			t.Errorf("what needs a token, beside what needs none: %d", got)
		}
	})
}

// communities 8#administrators: who is one by the settings is stored as what they are otherwise.
func TestAdministratorsBySettings(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "u")
		const may = `mutation($u: ID!, $p: [Permission!]!) { setUserPermissions(userId: $u, permissions: $p) { role permissions } }`
		all := `["READ_CHAT_MESSAGE","WRITE_CHAT_MESSAGE","CREATE_GROUP_CHAT","JOIN_GROUP_CHAT","CREATE_PRIVATE_CHAT","CREATE_COMMUNITY","JOIN_COMMUNITY","BAN_USER"]`
		w.Is(w.Does("oz", may, vars{"u": w.ids["oz"], "p": []string{"BAN_USER"}}), "setUserPermissions", `{"permissions":`+all+`,"role":"ADMIN"}`)
		w.Host.Operators = nil
		w.Asked("oz", "{ me { role permissions } }", nil, "me", `{"permissions":[],"role":"REGULAR_USER"}`)
		w.Refused("FORBIDDEN PERMISSION_MISSING", "oz", may, vars{"u": w.ids["u"], "p": []string{}})
		w.Host.Operators = []string{w.ids["u"]}
		w.Asked("u", "{ me { isAdmin } }", nil, "me.isAdmin", `true`)
	})
}

// communities 4.1#1, 4.3#1, 5.2#4-5 and 8#administrators: what roles and bans allow, and
// who sees them.
func TestRolesAndBans(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "u", "m")
		const (
			role = `mutation($u: ID!, $r: Role!) { setUserRole(userId: $u, role: $r) { role permissions } }`
			may  = `mutation($u: ID!, $p: [Permission!]!) { setUserPermissions(userId: $u, permissions: $p) { permissions } }`
			ban  = `mutation($u: ID!) { banUser(userId: $u) { banned } }`
			free = `mutation($u: ID!) { unbanUser(userId: $u) { banned } }`
		)
		w.Asked("oz", "{ me { role isAdmin } }", nil, "me", `{"isAdmin":true,"role":"ADMIN"}`)
		u, m, oz := vars{"u": w.ids["u"]}, vars{"u": w.ids["m"]}, vars{"u": w.ids["oz"]}
		w.Refused("FORBIDDEN PERMISSION_MISSING", "u", role, m, vars{"r": "ADMIN"})
		w.Refused("FORBIDDEN PERMISSION_MISSING", "u", ban, m)
		w.Refused("FORBIDDEN PERMISSION_MISSING", "u", `{ users { items { id } } }`)
		w.Does("oz", role, m, vars{"r": "MODERATOR"})
		w.Refused("FORBIDDEN CANNOT_BAN", "m", ban, oz)
		w.Refused("FORBIDDEN CANNOT_BAN", "m", ban, m)
		w.Refused("BAD_INPUT PERMISSION_BEYOND_ROLE", "oz", may, u, vars{"p": []string{"BAN_USER"}})
		w.Is(w.Does("oz", may, u, vars{"p": []string{"JOIN_COMMUNITY", "READ_CHAT_MESSAGE"}}), "setUserPermissions.permissions", `["READ_CHAT_MESSAGE","JOIN_COMMUNITY"]`)
		w.Refused("FORBIDDEN PERMISSION_MISSING", "u", found, vars{"i": vars{"name": "n", "description": "d", "topic": "PTSD", "location": trenton}})
		w.Is(w.Does("oz", role, u, vars{"r": "REGULAR_USER"}), "setUserRole.role", `"REGULAR_USER"`)
		w.founds("u", "Calm") // the role's permissions are back
		w.Refused("NOT_FOUND", "oz", ban, vars{"u": "nobody"})
		w.Does("m", ban, u)
		w.Refused("CONFLICT ALREADY_BANNED", "m", ban, u)
		w.Refused("PRECONDITION_FAILED USER_BANNED", "oz", may, u, vars{"p": []string{}})
		w.Asked("oz", `query($u: ID!) { user(id: $u) { banned email } }`, u, "user", `{"banned":true,"email":"u@example.com"}`)
		w.Asked("m", `query($u: ID!) { user(id: $u) { banned email permissions } }`, u, "user", `{"banned":false,"email":null,"permissions":null}`)
		w.Asked("u", `{ me { permissions } }`, nil, "me", `{"permissions":[]}`)
		w.Is(w.Does("m", free, u), "unbanUser.banned", `false`)
		w.Asked(
			"u",
			`{ me { permissions } }`,
			nil,
			"me.permissions",
			`["READ_CHAT_MESSAGE","WRITE_CHAT_MESSAGE","CREATE_GROUP_CHAT","JOIN_GROUP_CHAT","CREATE_PRIVATE_CHAT","CREATE_COMMUNITY","JOIN_COMMUNITY"]`,
		)
		w.Refused("CONFLICT NOT_BANNED", "m", free, u)
		if got := w.Does("oz", `{ users(limit: 3) { items { username } nextToken } }`).List("users.items", "username"); len(strings.Fields(got)) != 3 {
			t.Errorf("all users: %s", got)
		}
		w.Asked("u", `{ userByEmail(email: "m@example.com") { id } }`, nil, "userByEmail", `null`)
		w.Asked("oz", `{ userByEmail(email: "M@example.com") { username } }`, nil, "userByEmail.username", `"m"`)
		w.Asked("u", `{ userByUsername(username: "OZ") { username } }`, nil, "userByUsername.username", `"oz"`)
		w.Whole()
	})
}

// communities 5.2#6: a request is authenticated even if the time of the activity cannot be
// stored.
func TestAuthenticatedWhileLastSeenCannotBeStored(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		w.Advance(3 * time.Minute) // the token is verified again, and the activity is due
		disarm := w.Client.Arm(faultdb.On("TransactWriteItems", 1, faultdb.Internal))
		w.Asked("a", `{ me { online } }`, nil, "me.online", `false`)
		if !disarm() {
			t.Error("the activity was not to be stored")
		}
		w.Advance(3 * time.Minute)
		w.Asked("a", `{ me { online } }`, nil, "me.online", `true`)
	})
}
