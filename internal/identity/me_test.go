package identity_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

func TestMe(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).want(201).text("userId")
	tokens := h.signIn("userId", id).want(200)
	me := func(want object) {
		t.Helper()
		for _, authorization := range []string{"Bearer " + tokens.text("accessToken"), tokens.text("accessToken"), tokens.text("idToken")} {
			if r := h.get("/auth/me", "Authorization", authorization).want(200); fmt.Sprint(r.body) != fmt.Sprint(want) {
				t.Fatalf("answered %s, want %v", r.raw, want)
			}
		}
	}
	me(object{"userId": id, "email": "ana@example.com", "emailVerified": false, "phone": nil, "phoneVerified": false})
	m, _ := p.last(t)
	h.post("/auth/confirm", object{"userId": id, "code": m.Code}).want(200)
	me(object{"userId": id, "email": "ana@example.com", "emailVerified": true, "phone": nil, "phoneVerified": false})

	h.get("/auth/me").refused(401, "UNAUTHENTICATED", "Valid authorization header not provided.")
	r := h.get("/auth/me", "Authorization", "x").refused(401, "UNAUTHENTICATED", "Unable to parse JWT token")
	if r.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("headers %v", r.header)
	}
}

func TestDeleteMe(t *testing.T) {
	h := newHouse(t)
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201).text("userId")
	in := h.signIn("userId", id).want(200)
	token := bearer(in.text("accessToken"))
	h.do("DELETE", "/auth/me", nil).want(401)
	h.do("DELETE", "/auth/me", nil, token...).want(204)

	h.post("/auth/refresh", object{"refreshToken": in.text("refreshToken")}).want(401)
	if sent, err := h.issuer.Store.Messages(t.Context(), viewer.UserID(id), 1); len(sent) > 0 || err != nil {
		t.Errorf("left: %v, %v", sent, err)
	}
	h.signIn("userId", id).want(401)
	h.signIn("email", "ana@example.com").want(401)
	for _, method := range []string{"GET", "DELETE"} {
		h.do(method, "/auth/me", nil, token...).refused(401, "UNAUTHENTICATED", "You are not authorized to make this call.")
	}
	if _, _, found, err := h.issuer.Account(t.Context(), viewer.UserID(id)); found || err != nil {
		t.Errorf("the account is found: %t, %v", found, err)
	}
	if err := h.issuer.Delete(t.Context(), viewer.UserID(id), h.save); err != nil {
		t.Errorf("deleting again: %v", err)
	}
	next := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201).text("userId")
	if next == id {
		t.Error("the id was issued again")
	}
	// The id may still refer to a profile, so nobody else can take it.
	h.post("/auth/sign-up", object{"userId": id, "password": password}, token...).
		refused(409, "CONFLICT", "An account for userId `"+id+"` already exists")
}

// passwordKey parses the public key as an app does.
func passwordKey(t testing.TB, h *house) *rsa.PublicKey {
	t.Helper()
	r := h.get("/auth/password-key").want(200)
	block, rest := pem.Decode([]byte(r.raw))
	if block == nil || block.Type != "PUBLIC KEY" || len(rest) != 0 {
		t.Fatalf("answered %q", r.raw)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(*rsa.PublicKey)
}

func encrypt(t testing.TB, key *rsa.PublicKey, password string) string {
	t.Helper()
	cipher, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key, []byte(password), nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(cipher)
}

// users A20 and A21: if a password is refused, the old one stays valid.
func TestSetPassword(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	session := h.signIn("userId", id).want(200).text("refreshToken")
	key := passwordKey(t, h)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, encrypted, want string }{
		{"plain text", "another horse", "Unable to decrypt encrypted password"},
		{"empty", "", "Unable to decrypt encrypted password"},
		{"plain text in base64", base64.StdEncoding.EncodeToString([]byte("another horse")), "Unable to decrypt encrypted password"},
		{"for another key", encrypt(t, &stranger.PublicKey, "another horse"), "Unable to decrypt encrypted password"},
		{"short", encrypt(t, key, "1234567"), "Invalid password"},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := h.issuer.SetPassword(t.Context(), viewer.UserID(id), row.encrypted)
			if err == nil || err.Error() != row.want || refusal.KindOf(err) != refusal.Invalid {
				t.Errorf("got %v, want %q", err, row.want)
			}
			h.signIn("userId", id).want(200)
		})
	}
	if err := h.issuer.SetPassword(t.Context(), given, encrypt(t, key, "another horse")); refusal.KindOf(err) != refusal.NotFound {
		t.Errorf("a password for nobody: %v", err)
	}
	if err := h.issuer.SetPassword(t.Context(), viewer.UserID(id), encrypt(t, key, "another horse")); err != nil {
		t.Fatal(err)
	}
	h.signIn("userId", id).want(401)
	h.post("/auth/sign-in", object{"userId": id, "password": "another horse"}).want(200)
	h.refresh(session).want(200)

	second := joinHouse(t, h.store)
	if err := second.issuer.SetPassword(t.Context(), viewer.UserID(id), encrypt(t, key, password)); err != nil {
		t.Fatalf("another process cannot read what this one's key encrypted: %v", err)
	}
	second.signIn("userId", id).want(200)
}

func TestSeed(t *testing.T) {
	h := newHouse(t)
	people := seededPeople(200)
	if err := h.issuer.Seed(t.Context(), password, people); err != nil {
		t.Fatal(err)
	}
	last := people[len(people)-1]
	r := h.signIn("email", last.Email).want(200)
	if h.owner(r) != string(last.UserID) {
		t.Errorf("signed in as %s", h.owner(r))
	}
	err := h.issuer.Seed(t.Context(), password, people[:1])
	if refusal.KindOf(err) != refusal.Conflict || !strings.Contains(err.Error(), people[0].Email) {
		t.Errorf("seeding somebody twice: %v", err)
	}
}
