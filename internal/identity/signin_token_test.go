package identity_test

import (
	"testing"
	"time"

	"stoa/internal/auth/provider"
	"stoa/internal/auth/provider/providertest"
	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

func TestSignInByToken(t *testing.T) {
	h := newHouse(t)
	s := providertest.New(t, h.now)
	h = joinHouse(t, h.store, func(c *identity.Config) { c.Providers = provider.New(s.Config()) })
	for field, c := range map[string]struct {
		provider   string
		good, bad  string
		refused    string
		noIdentity string
	}{
		"appleIdToken": {identity.Apple, s.Apple("ana", "ana@example.com", nil), "x", "Apple id token is not a token", s.Apple("ben", "ben@example.com", nil)},
		"googleIdToken": {identity.Google, s.Google("ana", "ana@example.com", nil), s.Google("ana", "ana@example.com", map[string]any{"aud": "other"}),
			"Google token wrong audience: `other`", s.Google("ben", "ben@example.com", nil)},
		"facebookAccessToken": {identity.Facebook, s.Facebook(providertest.FacebookUser{ID: "ana", Email: "ana@example.com"}), "x",
			"Facebook access token is not valid", s.Facebook(providertest.FacebookUser{ID: "ben", Email: "ben@example.com"})},
	} {
		t.Run(field, func(t *testing.T) {
			id, _ := h.anonymous()
			if err := h.issuer.EnterWithLogin(t.Context(), id, login(c.provider, "ana", "ana@example.com"), h.save); err != nil {
				t.Fatal(err)
			}
			tokens := h.post("/auth/sign-in", object{field: c.good}).want(200)
			if who, err := h.verifier.Authenticate(t.Context(), tokens.text("idToken")); who != id || err != nil {
				t.Errorf("signed in as %q, %v; want %q", who, err, id)
			}
			h.post("/auth/refresh", object{"refreshToken": tokens.text("refreshToken")}).want(200)
			h.post("/auth/sign-in", object{field: c.bad}).refused(400, "INVALID", c.refused)
			h.post("/auth/sign-in", object{field: c.noIdentity}).refused(401, "UNAUTHENTICATED", "Incorrect username or password.")
			// The same e-mail address at another provider is no proof here.
			if err := h.issuer.Delete(t.Context(), id, h.save); err != nil {
				t.Fatal(err)
			}
			h.post("/auth/sign-in", object{field: c.good}).want(401)
		})
	}
}

func TestSignInWithoutProviders(t *testing.T) {
	h := newHouse(t)
	h.post("/auth/sign-in", object{"appleIdToken": "x"}).refused(401, "UNAUTHENTICATED", "Incorrect username or password.")
}

// TestSeededPasswords checks that seeded passwords are valid in dev identity only, until
// their owner has chosen another.
func TestSeededPasswords(t *testing.T) {
	dev := newHouse(t)
	const id = viewer.UserID(given)
	if err := dev.issuer.Seed(t.Context(), password, []identity.Seeded{{UserID: id, Email: "ana@example.com"}}); err != nil {
		t.Fatal(err)
	}
	p := &postbox{}
	public := joinHouse(t, dev.store, local(p))
	public.signIn("email", "ana@example.com").refused(401, "UNAUTHENTICATED", "Incorrect username or password.")
	dev.signIn("email", "ana@example.com").want(200)
	// Signing in has rehashed the password, which does not make it valid elsewhere.
	public.signIn("email", "ana@example.com").want(401)
	public.turn(time.Minute)
	if err := public.issuer.SetPassword(t.Context(), id, encrypt(t, passwordKey(t, public), password)); err != nil {
		t.Fatal(err)
	}
	public.signIn("email", "ana@example.com").want(200)
}
