package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/uuid"

	"stoa/internal/auth"
	"stoa/internal/identity"
)

// keyID returns the id of the key that signed the access token in a response.
func keyID(t *testing.T, r response) string {
	t.Helper()
	token, err := jwt.ParseSigned(r.text("accessToken"), []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	return token.Headers[0].KeyID
}

// publishedKeys returns the key ids in the JWKS.
func publishedKeys(t *testing.T, h *house) map[string]bool {
	t.Helper()
	var set jose.JSONWebKeySet
	if err := json.Unmarshal([]byte(h.get("/.well-known/jwks.json").want(200).raw), &set); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, key := range set.Keys {
		if !key.IsPublic() || key.Algorithm != "ES256" || key.Use != "sig" {
			t.Errorf("published %+v", key)
		}
		ids[key.KeyID] = true
	}
	return ids
}

// old is longer than a key signs.
const old = 31 * 24 * time.Hour

func TestRotationKeepsLiveTokens(t *testing.T) {
	h := newHouse(t)
	h.turn(old)
	before := h.post("/auth/anonymous", nil).want(201)
	unseen := h.post("/auth/anonymous", nil).want(201)
	h.get("/auth/me", bearer(before.text("accessToken"))...).want(200)

	if err := h.keys.RotateOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.turn(time.Minute)
	after := h.post("/auth/anonymous", nil).want(201)
	if keyID(t, after) == keyID(t, before) {
		t.Error("the old key still signs")
	}
	for _, r := range []response{before, unseen, after} {
		h.get("/auth/me", bearer(r.text("accessToken"))...).want(200)
	}
	if ids := publishedKeys(t, h); !ids[keyID(t, before)] || !ids[keyID(t, after)] || len(ids) != 2 {
		t.Errorf("published %v", ids)
	}
}

func TestReplacedKeysGoWhenTheirTokensAreDead(t *testing.T) {
	h := newHouse(t)
	rotate := func() string {
		t.Helper()
		if err := h.keys.RotateOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		return keyID(t, h.post("/auth/anonymous", nil).want(201))
	}
	first := keyID(t, h.post("/auth/anonymous", nil).want(201))
	h.turn(29 * 24 * time.Hour)
	if rotate() != first {
		t.Error("a key was replaced before it was old")
	}
	h.turn(24 * time.Hour)
	second := rotate()
	h.turn(time.Hour)
	if rotate() != second {
		t.Error("a new key was replaced")
	}
	if ids := publishedKeys(t, h); first == second || !ids[first] || !ids[second] {
		t.Errorf("published %v an hour after %s was replaced", ids, first)
	}
	h.turn(23 * time.Hour)
	rotate()
	if ids := publishedKeys(t, h); ids[first] || !ids[second] {
		t.Errorf("published %v a day after %s was replaced", ids, first)
	}
}

func TestProcessesShareKeys(t *testing.T) {
	a := newHouse(t)
	b := joinHouse(t, a.store)
	if ids := publishedKeys(t, b); len(ids) != 1 {
		t.Fatalf("a second process made a key of its own: %v", ids)
	}
	a.turn(old)
	b.turn(old)
	token := a.post("/auth/anonymous", nil).want(201)
	b.get("/auth/me", bearer(token.text("accessToken"))...).want(200)

	a.turn(time.Minute)
	b.turn(time.Minute)
	if err := a.keys.RotateOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh := a.post("/auth/anonymous", nil).want(201)
	b.get("/auth/me", bearer(fresh.text("accessToken"))...).want(200)
	b.turn(time.Minute)
	if got := keyID(t, b.post("/auth/anonymous", nil).want(201)); got != keyID(t, fresh) {
		t.Error("the other process did not take the new key up")
	}
}

func TestKeysOutliveTheProcess(t *testing.T) {
	a := newHouse(t)
	session := a.post("/auth/anonymous", nil).want(201)
	b := joinHouse(t, a.store, func(c *identity.Config) { c.PublicURL = "https://elsewhere.test" })
	b.get("/auth/me", bearer(session.text("accessToken"))...).want(200)
	b.refresh(session.text("refreshToken")).want(200)
}

func TestForgedTokens(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	genuine := h.signIn("userId", id).want(200)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, kid := range map[string]string{"under our key id": keyID(t, genuine), "under its own": uuid.NewString()} {
		t.Run(name, func(t *testing.T) {
			signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", kid))
			if err != nil {
				t.Fatal(err)
			}
			forged, err := jwt.Signed(signer).Claims(claimsOf(t, genuine.text("accessToken"))).Serialize()
			if err != nil {
				t.Fatal(err)
			}
			h.get("/auth/me", bearer(forged)...).refused(401, "UNAUTHENTICATED", "You are not authorized to make this call.")
		})
	}
}

// A remote verifier that is configured only with the issuer's URL accepts its tokens.
func TestDiscovery(t *testing.T) {
	h := newHouse(t)
	server := serve(t, h)
	external, err := auth.NewExternal(t.Context(), server.URL, "stoa", server.Client(), h.now)
	if err != nil {
		t.Fatal(err)
	}
	id := h.ana()
	user, err := external.Authenticate(t.Context(), h.signIn("userId", id).want(200).text("idToken"))
	if err != nil || string(user) != id {
		t.Fatalf("got %q, %v", user, err)
	}
	if email, _, found, err := external.Account(t.Context(), user); email != "ana@example.com" || !found || err != nil {
		t.Errorf("account is %q, %t, %v", email, found, err)
	}
}
