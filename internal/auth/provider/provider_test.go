package provider_test

import (
	"crypto/rand"
	"crypto/rsa"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"stoa/internal/auth/provider"
	"stoa/internal/auth/provider/providertest"
	"stoa/internal/kit/refusal"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

type claims = map[string]any

// house returns a server for all providers, and the verifiers of their tokens.
func house(t *testing.T) (*providertest.Server, provider.Providers) {
	t.Helper()
	s := providertest.New(t, func() time.Time { return now })
	return s, provider.New(s.Config())
}

// check verifies a token, which must be ana's, or be refused with the given text.
func check(t *testing.T, p provider.Provider, token, refused string) {
	t.Helper()
	got, err := p.Verify(t.Context(), token)
	switch {
	case refused == "" && err != nil:
		t.Errorf("refused: %v", err)
	case refused == "" && (got.Subject != "ana" || got.Email != "ana@example.com"):
		t.Errorf("is of %+v", got)
	case refused != "" && (refusal.KindOf(err) != refusal.Invalid || err.Error() != refused):
		t.Errorf("got %v, want %s", err, refused)
	case refused != "" && got != provider.Login{}:
		t.Errorf("refused, but is of %+v", got)
	}
}

func TestIDTokens(t *testing.T) {
	s, providers := house(t)
	forger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		name     string
		provider provider.Provider
		token    func(subject, email string, changes map[string]any) string
		text     string
		audience string
		noKey    func(kid, alg string) string
	}{
		{"apple", providers.Apple, s.Apple, "Apple id token ", "Apple id token has wrong audience: `other`",
			func(kid, alg string) string {
				return "No Apple public key with kid `" + kid + "` and alg `" + alg + "` found"
			}},
		{"google", providers.Google, s.Google, "Google token ", "Google token wrong audience: `other`",
			func(kid, alg string) string { return "Google token has no known key: `" + kid + "` with `" + alg + "`" }},
	} {
		issued := func(changes claims) string { return p.token("ana", "Ana@Example.com", changes) }
		good := issued(nil)
		payload := claims{"iss": "x", "sub": "ana", "aud": providertest.Client, "exp": now.Add(time.Hour).Unix()}
		for _, c := range []struct{ name, token, refused string }{
			{"good", good, ""},
			{"verified as a text", issued(claims{"email_verified": "true"}), ""},
			{"verified as a truth", issued(claims{"email_verified": true}), ""},
			{"several audiences", issued(claims{"aud": []string{"other", providertest.Client}}), ""},
			{"issued by a clock ahead", issued(claims{"iat": now.Add(50 * time.Second).Unix()}), ""},
			{"empty", "", p.text + "is not a token"},
			{"text", "ana", p.text + "is not a token"},
			{"two parts", "a.b", p.text + "is not a token"},
			{"no JSON", "YQ.YQ.YQ", p.text + "is not a token"},
			{"huge", good + strings.Repeat("a", 20_000), p.text + "is not a token"},
			{"expired", issued(claims{"exp": now.Unix()}), p.text + "has expired"},
			{"for ever", issued(claims{"exp": nil}), p.text + "has expired"},
			{"of the future", issued(claims{"iat": now.Add(time.Hour).Unix()}), p.text + "is not valid yet"},
			{"not before", issued(claims{"nbf": now.Add(time.Hour).Unix()}), p.text + "is not valid yet"},
			{"foreign issuer", issued(claims{"iss": "https://issuer.test"}), p.text + "is of another issuer"},
			{"foreign audience", issued(claims{"aud": "other"}), p.audience},
			{"unverified", issued(claims{"email_verified": false}), p.text + "does not contain verified email"},
			{"verified by nobody", issued(claims{"email_verified": nil}), p.text + "does not contain verified email"},
			{"without e-mail", issued(claims{"email": nil}), p.text + "does not contain verified email"},
			{"without subject", issued(claims{"sub": nil}), p.text + "names nobody"},
			{"forged", providertest.Sign(t, forger, jose.RS256, providertest.KeyID, payload), p.text + "has a wrong signature"},
			{"signed with an unknown key", providertest.Sign(t, forger, jose.RS256, "mine", payload), p.noKey("mine", "RS256")},
			{"signed with the public key as a secret", providertest.Sign(t, make([]byte, 32), jose.HS256, providertest.KeyID, payload), p.noKey(providertest.KeyID, "HS256")},
			{"unsigned", "eyJhbGciOiJub25lIiwia2lkIjoia2V5LTEifQ.e30.", p.noKey(providertest.KeyID, "none")},
			{"changed", good[:len(good)-8] + "AAAAAAAA", p.text + "has a wrong signature"},
		} {
			t.Run(p.name+" "+c.name, func(t *testing.T) { check(t, p.provider, c.token, c.refused) })
		}
	}
}

// TestProvidersDiffer checks that a token of one provider is refused by the other.
func TestProvidersDiffer(t *testing.T) {
	s, providers := house(t)
	check(t, providers.Apple, s.Google("ana", "ana@example.com", nil), "Apple id token is of another issuer")
	check(t, providers.Google, s.Apple("ana", "ana@example.com", nil), "Google token is of another issuer")
}

// TestGoogleHasTwoNames checks that tokens are accepted that name Google without a scheme.
func TestGoogleHasTwoNames(t *testing.T) {
	s, providers := house(t)
	_, host, _ := strings.Cut(s.Config().GoogleIssuer, "://")
	check(t, providers.Google, s.Google("ana", "ana@example.com", claims{"iss": host}), "")
}

func TestFacebook(t *testing.T) {
	s, providers := house(t)
	user := func(change func(*providertest.FacebookUser)) string {
		u := providertest.FacebookUser{ID: "ana", Email: "Ana@Example.com"}
		change(&u)
		return s.Facebook(u)
	}
	for _, c := range []struct{ name, token, refused string }{
		{"good", user(func(*providertest.FacebookUser) {}), ""},
		{"good for a while", user(func(u *providertest.FacebookUser) { u.ExpiresAt = now.Add(time.Second) }), ""},
		{"expired", user(func(u *providertest.FacebookUser) { u.ExpiresAt = now }), "Facebook access token is not valid"},
		{"revoked", user(func(u *providertest.FacebookUser) { u.Expired = true }), "Facebook access token is not valid"},
		{"unknown", "EAABinvented", "Facebook access token is not valid"},
		{"of another app", user(func(u *providertest.FacebookUser) { u.App = "1" }), "Facebook access token is of another app"},
		{"without e-mail", user(func(u *providertest.FacebookUser) { u.Email = "" }), "Facebook server response body does not contain email"},
		{"of nobody", user(func(u *providertest.FacebookUser) { u.ID = "" }), "Facebook access token names nobody"},
		{"empty", "", "Facebook access token is not a token"},
		{"huge", strings.Repeat("a", 20_000), "Facebook access token is not a token"},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, providers.Facebook, c.token, c.refused) })
	}
	t.Run("a wrong secret", func(t *testing.T) {
		config := s.Config()
		config.FacebookSecret = "guess"
		check(t, provider.New(config).Facebook, s.Facebook(providertest.FacebookUser{ID: "ana"}), "Facebook server response status code is non-200: `400`")
	})
	t.Run("no app", func(t *testing.T) {
		config := s.Config()
		config.FacebookApp = ""
		check(t, provider.New(config).Facebook, s.Facebook(providertest.FacebookUser{ID: "ana"}), "Facebook logins are not accepted here")
	})
}

// TestProviderIsDown checks that an unavailable provider is not reported as an invalid
// token.
func TestProviderIsDown(t *testing.T) {
	s, providers := house(t)
	s.Break(503)
	if _, err := providers.Apple.Verify(t.Context(), s.Apple("ana", "a@b.c", nil)); err == nil || refusal.KindOf(err) != 0 {
		t.Errorf("got %v, want a fault of the server", err)
	}
	check(t, providers.Facebook, s.Facebook(providertest.FacebookUser{ID: "ana"}), "Facebook server response status code is non-200: `503`")
	s.Break(0)
	check(t, providers.Apple, s.Apple("ana", "ana@example.com", nil), "")

	unreachable := s.Config()
	unreachable.FacebookGraph = "http://127.0.0.1:1"
	_, err := provider.New(unreachable).Facebook.Verify(t.Context(), "secret-token")
	if err == nil || refusal.KindOf(err) != 0 || strings.Contains(err.Error(), "secret-token") {
		t.Errorf("got %v, want a fault of the server that keeps the token to itself", err)
	}
}
