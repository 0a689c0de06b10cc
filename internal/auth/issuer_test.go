package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const ana = "us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f"

// clock is a clock that only tests advance.
type clock struct{ at time.Time }

func newClock() *clock                        { return &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }
func (c *clock) now() time.Time               { return c.at }
func (c *clock) turn(d time.Duration)         { c.at = c.at.Add(d) }
func (c *clock) in(d time.Duration) time.Time { return c.at.Add(d) }

// issuer signs tokens and is the source of its own keys. If fault is set, reading the keys
// fails with it.
type issuer struct {
	mu      sync.Mutex
	private map[string]crypto.Signer
	hidden  map[string]bool
	asked   int
	fault   error
}

func newIssuer(t testing.TB) *issuer {
	i := &issuer{private: map[string]crypto.Signer{}, hidden: map[string]bool{}}
	i.add(t, "first")
	return i
}

func (i *issuer) add(t testing.TB, id string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i.private[id] = key
}

func (i *issuer) PublicKeys(context.Context) (map[string]crypto.PublicKey, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked++
	keys := map[string]crypto.PublicKey{}
	for id, key := range i.private {
		if !i.hidden[id] {
			keys[id] = key.Public()
		}
	}
	return keys, i.fault
}

// claims returns the claims of a valid token with the given changes; a nil value removes a
// claim.
func (c *clock) claims(changes map[string]any) map[string]any {
	claims := map[string]any{
		"iss": "https://issuer.test", "sub": ana, "aud": "app",
		"iat": c.at.Unix(), "exp": c.in(time.Hour).Unix(), "token_use": "access",
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	return claims
}

// sign returns a token signed with the given key.
func (i *issuer) sign(t testing.TB, id string, claims map[string]any) string {
	t.Helper()
	return signWith(t, i.private[id], id, claims)
}

func signWith(t testing.TB, key any, id string, claims map[string]any) string {
	t.Helper()
	algorithm := jose.ES256
	switch key.(type) {
	case ed25519.PrivateKey:
		algorithm = jose.EdDSA
	case *rsa.PrivateKey:
		algorithm = jose.RS256
	case []byte:
		algorithm = jose.HS256
	}
	options := (&jose.SignerOptions{}).WithType("JWT")
	if id != "" {
		options = options.WithHeader("kid", id)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
