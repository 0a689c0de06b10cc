package identity_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// owner returns the name of the user whose tokens a response contains.
func (h *house) owner(r response) string {
	h.t.Helper()
	user, err := h.verifier.Authenticate(h.t.Context(), r.text("accessToken"))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(user)
}

// users A2, A4 and A7: all names of a user, usernames in any case, and the resulting tokens.
func TestSignInNames(t *testing.T) {
	h := newHouse(t)
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201).text("userId")
	h.names["ana.b"] = viewer.UserID(id)
	for _, row := range []struct{ kind, name string }{
		{"userId", id}, {"email", "ana@example.com"}, {"phone", "+12025550123"},
		{"username", "ana.b"}, {"username", "Ana.B"},
	} {
		t.Run(row.kind+" "+row.name, func(t *testing.T) {
			r := h.signIn(row.kind, row.name).want(200)
			if r.text("tokenType") != "Bearer" || r.body["expiresIn"] != 3600.0 || r.text("refreshToken") == "" || len(r.body) != 5 {
				t.Errorf("answered %s", r.raw)
			}
			if h.owner(r) != id {
				t.Errorf("tokens of %s", h.owner(r))
			}
		})
	}
}

// users A2, A4 and A6: a name and its password are required of every caller.
func TestSignInRefusals(t *testing.T) {
	const mismatch = "Incorrect username or password."
	const one = "Give exactly one of `username`, `email`, `phone`, `userId`"
	h := newHouse(t)
	id := h.ana()
	h.names["ghost"] = given // a profile whose identity is gone
	for _, row := range []struct {
		name    string
		body    object
		status  int
		code    string
		message string
	}{
		{"users A4 a wrong password", object{"userId": id, "password": "incorrect horse"}, 401, "UNAUTHENTICATED", mismatch},
		{"short password", object{"userId": id, "password": "x"}, 401, "UNAUTHENTICATED", mismatch},
		{"password in another case", object{"userId": id, "password": strings.ToUpper(password)}, 401, "UNAUTHENTICATED", mismatch},
		{"unknown id", object{"userId": given, "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"id of another form", object{"userId": "a/b", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"unknown username", object{"username": "nobody", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"impossible username", object{"username": "a/b", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"username without identity", object{"username": "ghost", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"unknown e-mail", object{"email": "ben@example.com", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"unknown phone", object{"phone": "+12025550199", "password": password}, 401, "UNAUTHENTICATED", mismatch},
		{"users A2 an upper-case e-mail", object{"email": "Ana@example.com", "password": password}, 400, "INVALID", "User's email 'Ana@example.com' has upper case characters"},
		{"users A6 no password", object{"userId": id}, 400, "INVALID", "Field `password` is required"},
		{"no name", object{"password": password}, 400, "INVALID", one},
		{"two names", object{"userId": id, "email": "ana@example.com", "password": password}, 400, "INVALID", one},
	} {
		t.Run(row.name, func(t *testing.T) { h.post("/auth/sign-in", row.body).refused(row.status, row.code, row.message) })
	}
}

func TestTokensSayWhoAndWhat(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	r := h.signIn("userId", id).want(200)
	now := float64(h.now().Unix())
	for name, want := range map[string]object{
		"accessToken": {"iss": "https://stoa.test", "sub": id, "aud": "stoa", "iat": now, "exp": now + 3600, "token_use": "access"},
		"idToken": {"iss": "https://stoa.test", "sub": id, "aud": "stoa", "iat": now, "exp": now + 3600, "token_use": "id",
			"email": "ana@example.com", "email_verified": true},
	} {
		got := claimsOf(t, r.text(name))
		if got["jti"] == "" {
			t.Errorf("%s has no id", name)
		}
		delete(got, "jti")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s claims %v, want %v", name, got, want)
		}
	}
}

func TestHashesFollowTheCost(t *testing.T) {
	store := newStore(t)
	id := joinHouse(t, store).ana()
	dearer := joinHouse(t, store, func(c *identity.Config) { c.Cost = identity.Cost{MemoryKiB: 16, Passes: 2} })
	hash := func() string {
		i, _, err := store.Identity(t.Context(), viewer.UserID(id))
		if err != nil {
			t.Fatal(err)
		}
		return i.PasswordHash
	}
	before := hash()
	dearer.post("/auth/sign-in", object{"userId": id, "password": "incorrect horse"}).want(401)
	if hash() != before {
		t.Error("a wrong password replaced the hash")
	}
	dearer.signIn("userId", id).want(200)
	after := hash()
	if !strings.HasPrefix(after, "$argon2id$v=19$m=16,t=2,p=1$") {
		t.Errorf("hash is %q", after)
	}
	dearer.signIn("userId", id).want(200)
	if hash() != after {
		t.Error("a hash of the present cost was replaced")
	}
}

// users A6: the only way to sign in without a password, available in dev identity only (see
// TestOutbox).
func TestMint(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.names["ana.b"] = viewer.UserID(id)
	for _, user := range []string{id, "ana.b", "Ana.B"} {
		r := h.post("/auth/dev/token", object{"user": user}).want(201)
		if r.text("userId") != id || h.owner(r) != id {
			t.Errorf("a token for %s: %s", user, r.raw)
		}
	}
	for _, user := range []string{given, "nobody", "a/b"} {
		h.post("/auth/dev/token", object{"user": user}).
			refused(404, "NOT_FOUND", "No account for `"+user+"`: give the user id or username of one that has signed up")
	}
}

func claimsOf(t *testing.T, token string) object {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims object
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}
