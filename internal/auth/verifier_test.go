package auth_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"stoa/internal/auth"
	"stoa/internal/kit/refusal"
)

const (
	noToken   = "Valid authorization header not provided."
	malformed = "Unable to parse JWT token"
	expired   = "Token has expired."
	untrusted = "You are not authorized to make this call."
)

func newVerifier(i *issuer, c *clock) *auth.Verifier {
	return auth.New(auth.Config{Keys: i, Issuer: "https://issuer.test", Audience: "app", Now: c.now})
}

func wantUser(t *testing.T, v *auth.Verifier, authorization, user string) {
	t.Helper()
	got, err := v.Authenticate(context.Background(), authorization)
	if err != nil || string(got) != user {
		t.Fatalf("got %q, %v; want %q", got, err, user)
	}
}

func wantRefusal(t *testing.T, v *auth.Verifier, authorization, text string) {
	t.Helper()
	got, err := v.Authenticate(context.Background(), authorization)
	if err == nil || err.Error() != text || refusal.KindOf(err) != refusal.Forbidden || got != "" {
		t.Fatalf("got %q, %v (%v); want the refusal %q", got, err, refusal.KindOf(err), text)
	}
}

func TestAcceptedForms(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rivest, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.private["edwards"], i.private["rivest"] = edwards, rivest

	access := i.sign(t, "first", c.claims(nil))
	for name, authorization := range map[string]string{
		"bearer":              "Bearer " + access,
		"bearer in any case":  "bearer " + access,
		"raw":                 access,
		"spaces around":       "  Bearer   " + access + " ",
		"id token":            i.sign(t, "first", c.claims(map[string]any{"token_use": "id", "email": "ana@example.com"})),
		"client id":           i.sign(t, "first", c.claims(map[string]any{"aud": nil, "client_id": "app"})),
		"one of the audience": i.sign(t, "first", c.claims(map[string]any{"aud": []string{"other", "app"}})),
		"EdDSA":               i.sign(t, "edwards", c.claims(nil)),
		"RS256":               i.sign(t, "rivest", c.claims(nil)),
		"issuer's clock ahead": i.sign(t, "first", c.claims(map[string]any{
			"nbf": c.in(30 * time.Second).Unix()})),
	} {
		t.Run(name, func(t *testing.T) { wantUser(t, newVerifier(i, c), authorization, ana) })
	}
}

func TestRefusals(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	good := i.sign(t, "first", c.claims(nil))
	parts := strings.Split(good, ".")
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(i.private["first"].Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	signed := func(changes map[string]any) string { return i.sign(t, "first", c.claims(changes)) }

	for _, row := range []struct{ name, authorization, want string }{
		{"nothing", "", noToken},
		{"spaces", "   ", noToken},
		{"scheme alone", "Bearer", noToken},
		{"scheme and spaces", "Bearer   ", noToken},
		{"another scheme", "Basic YW5hOnB3", noToken},
		{"no JWT", "Bearer abc", malformed},
		{"two parts", parts[0] + "." + parts[1], malformed},
		{"four parts", good + ".x", malformed},
		{"header no JSON", b64("{") + "." + parts[1] + "." + parts[2], malformed},
		{"payload no JSON", parts[0] + "." + b64("{") + "." + parts[2], malformed},
		{"expiry no number", parts[0] + "." + b64(`{"exp":"soon"}`) + "." + parts[2], malformed},
		{"endless", strings.Repeat("a", 20<<10), malformed},
		{"algorithm none", b64(`{"alg":"none"}`) + "." + parts[1] + ".", untrusted},
		{"public key as shared secret", signWith(t, public, "first", c.claims(nil)), untrusted},
		{"somebody else's key under our id", signWith(t, stranger, "first", c.claims(nil)), untrusted},
		{"unknown key id", signWith(t, stranger, "second", c.claims(nil)), untrusted},
		{"changed payload", parts[0] + "." + payload(t, c.claims(map[string]any{"sub": "us-east-1:0"})) + "." + parts[2], untrusted},
		{"changed signature", parts[0] + "." + parts[1] + "." + b64(strings.Repeat("x", 64)), untrusted},
		{"another issuer", signed(map[string]any{"iss": "https://elsewhere.test"}), untrusted},
		{"no issuer", signed(map[string]any{"iss": nil}), untrusted},
		{"another audience", signed(map[string]any{"aud": "other"}), untrusted},
		{"no audience", signed(map[string]any{"aud": nil}), untrusted},
		{"no subject", signed(map[string]any{"sub": nil}), untrusted},
		{"subject that splits keys", signed(map[string]any{"sub": "a/b"}), untrusted},
		{"no expiry", signed(map[string]any{"exp": nil}), untrusted},
		{"not yet", signed(map[string]any{"nbf": c.in(2 * time.Minute).Unix()}), untrusted},
		{"expired", signed(map[string]any{"exp": c.in(-time.Second).Unix()}), expired},
		{"expires this second", signed(map[string]any{"exp": c.at.Unix()}), expired},
		{"expired and signed by a key long gone", signWith(t, stranger, "gone", c.claims(map[string]any{"exp": c.in(-time.Hour).Unix()})), expired},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := newVerifier(i, c)
			wantRefusal(t, v, row.authorization, row.want)
			wantRefusal(t, v, row.authorization, row.want) // the second attempt is refused, too
			wantUser(t, v, good, ana)
		})
	}
}

func TestRememberedTokenExpires(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := newVerifier(i, c)
	token := i.sign(t, "first", c.claims(nil))
	wantUser(t, v, token, ana)
	c.turn(time.Hour - time.Second)
	wantUser(t, v, token, ana)
	c.turn(time.Second)
	wantRefusal(t, v, token, expired)
	wantRefusal(t, v, token, expired)
}

func TestRotationNeedsNoAnnouncement(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := newVerifier(i, c)
	old := i.sign(t, "first", c.claims(nil))
	wantUser(t, v, old, ana)

	c.turn(time.Minute)
	i.add(t, "second")
	wantUser(t, v, i.sign(t, "second", c.claims(nil)), ana)
	wantUser(t, v, i.sign(t, "first", c.claims(nil)), ana)
	wantUser(t, v, old, ana)
	if i.asked != 2 {
		t.Errorf("keys were read %d times, want once at first and once for the new key", i.asked)
	}
}

func TestInventedKeyIDsDoNotFloodTheIssuer(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := newVerifier(i, c)
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		wantRefusal(t, v, signWith(t, stranger, id, c.claims(nil)), untrusted)
	}
	if i.asked != 1 {
		t.Errorf("keys were read %d times, want 1", i.asked)
	}
	c.turn(3 * time.Second)
	wantRefusal(t, v, signWith(t, stranger, "e", c.claims(nil)), untrusted)
	if i.asked != 2 {
		t.Errorf("keys were read %d times after a pause, want 2", i.asked)
	}
}

func TestWithdrawnKeyIsNoticed(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	i.add(t, "second")
	v := newVerifier(i, c)
	wantUser(t, v, i.sign(t, "second", c.claims(nil)), ana)
	known := i.sign(t, "second", c.claims(map[string]any{"exp": c.in(24 * time.Hour).Unix()}))
	wantUser(t, v, known, ana)
	i.hidden["second"] = true
	c.turn(time.Hour)
	wantRefusal(t, v, known, untrusted)
	wantRefusal(t, v, known, untrusted)
	wantRefusal(t, v, i.sign(t, "second", c.claims(nil)), untrusted)
}

// While the keys cannot be read, tokens that were accepted before stay so.
func TestKnownTokensOutliveAnOutageOfTheIssuer(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := newVerifier(i, c)
	known := i.sign(t, "first", c.claims(map[string]any{"exp": c.in(24 * time.Hour).Unix()}))
	wantUser(t, v, known, ana)
	i.fault = errors.New("no route")
	for range 10 {
		c.turn(time.Hour)
		wantUser(t, v, known, ana)
	}
}

func TestUnreadableKeys(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := newVerifier(i, c)
	i.fault = errors.New("no route")
	_, err := v.Authenticate(context.Background(), i.sign(t, "first", c.claims(nil)))
	if !errors.Is(err, i.fault) || refusal.KindOf(err) != 0 {
		t.Fatalf("got %v, want a fault that is not the caller's", err)
	}

	i.fault = nil
	wantUser(t, v, i.sign(t, "first", c.claims(nil)), ana)
	i.fault = errors.New("no route")
	c.turn(time.Hour)
	wantUser(t, v, i.sign(t, "first", c.claims(nil)), ana)
}

func BenchmarkRemembered(b *testing.B) {
	c, i := newClock(), newIssuer(b)
	v := auth.New(auth.Config{Keys: i, Now: time.Now})
	token := "Bearer " + i.sign(b, "first", map[string]any{"sub": ana, "exp": time.Now().Add(time.Hour).Unix(), "iss": "https://issuer.test", "jti": c.at.String()})
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.Authenticate(ctx, token); err != nil {
			b.Fatal(err)
		}
	}
}

func b64(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func payload(t *testing.T, claims map[string]any) string {
	t.Helper()
	text, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return b64(string(text))
}
