package auth_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"stoa/internal/auth"
	"stoa/internal/kit/refusal"
)

// provider is an OpenID Connect issuer on the loopback interface.
type provider struct {
	*httptest.Server
	*issuer
	name string
	jwks string
}

func newProvider(t *testing.T) *provider {
	p := &provider{issuer: newIssuer(t)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{"issuer": p.name, "jwks_uri": p.jwks})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		keys, _ := p.PublicKeys(r.Context())
		set := []any{map[string]string{"kty": "of the future", "kid": "strange"}}
		for id, key := range keys {
			set = append(set, jose.JSONWebKey{Key: key, KeyID: id, Use: "sig"})
		}
		answer(w, map[string]any{"keys": set})
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	p.name, p.jwks = p.URL, p.URL+"/keys"
	return p
}

func answer(w http.ResponseWriter, body any) { json.NewEncoder(w).Encode(body) }

func TestExternalIssuer(t *testing.T) {
	c, p := newClock(), newProvider(t)
	ctx := context.Background()
	external, err := auth.NewExternal(ctx, p.URL+"/", "app", p.Client(), c.now)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(key string, changes map[string]any) string {
		claims := c.claims(changes)
		claims["iss"] = p.URL
		return p.sign(t, key, claims)
	}
	authenticate := func(token string) {
		t.Helper()
		if user, err := external.Authenticate(ctx, token); err != nil || user != ana {
			t.Fatalf("got %q, %v", user, err)
		}
	}
	account := func(wantEmail, wantPhone string, wantFound bool) {
		t.Helper()
		email, phone, found, err := external.Account(ctx, ana)
		if email != wantEmail || phone != wantPhone || found != wantFound || err != nil {
			t.Fatalf("account is %q, %q, %t, %v; want %q, %q, %t", email, phone, found, err, wantEmail, wantPhone, wantFound)
		}
	}

	authenticate(sign("first", nil))
	account("", "", false)
	authenticate(sign("first", map[string]any{"email": "ana@example.com", "email_verified": false}))
	account("", "", false)
	withEmail := sign("first", map[string]any{"email": "ana@example.com", "email_verified": "true", "phone_number": "+15105550100"})
	authenticate(withEmail)
	account("ana@example.com", "", true)
	authenticate(sign("first", nil)) // an access token does not replace the contacts
	account("ana@example.com", "", true)

	for name, want := range map[any]string{"Ana Lind": "Ana Lind", 7: ""} {
		authenticate(sign("first", map[string]any{"email": "ana@example.com", "email_verified": true, "name": name}))
		if got := external.DisplayName(ctx, ana); got != want {
			t.Errorf("display name %q, want %q", got, want)
		}
	}
	if got := external.IssuerName(); got != p.URL {
		t.Errorf("issuer %q, want %q", got, p.URL)
	}

	c.turn(time.Minute)
	p.add(t, "second")
	authenticate(sign("second", map[string]any{"phone_number": "+15105550100", "phone_number_verified": true}))
	account("", "+15105550100", true)
	authenticate(withEmail)
	account("ana@example.com", "", true)

	other := c.claims(map[string]any{"iss": "https://elsewhere.test"})
	if _, err := external.Authenticate(ctx, p.sign(t, "first", other)); refusal.KindOf(err) != refusal.Forbidden {
		t.Fatalf("a token of another issuer: %v", err)
	}
}

func TestExternalIssuerIsCheckedAtStart(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(*provider)
		want   string
	}{
		{"another name", func(p *provider) { p.name = "https://elsewhere.test" }, `names "https://elsewhere.test" as its issuer`},
		{"no keys", func(p *provider) { p.jwks = "" }, "names no jwks_uri"},
		{"nobody there", func(p *provider) { p.Close() }, "discover the issuer"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newProvider(t)
			row.change(p)
			_, err := auth.NewExternal(context.Background(), p.URL, "app", p.Client(), newClock().now)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("got %v, want an error with %q", err, row.want)
			}
		})
	}
}
