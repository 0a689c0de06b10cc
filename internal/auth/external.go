package auth

import (
	"context"
	"crypto"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/kit/viewer"
)

// maxDocument bounds what an issuer may answer, in bytes.
const maxDocument = 1 << 20

// External accepts the tokens of an OpenID Connect issuer outside this service, for
// example a Cognito user pool.
type External struct {
	verifier *Verifier
	contacts *lru.Cache[viewer.UserID, identity]
}

// NewExternal finds the keys of an issuer by discovery. It fails when the issuer
// does not answer or calls itself by another name, so that a mistyped address shows
// at start and not as a refusal of everybody.
func NewExternal(ctx context.Context, issuer, audience string, client *http.Client, now func() time.Time) (*External, error) {
	issuer = strings.TrimSuffix(issuer, "/")
	var about struct {
		Issuer  string `json:"issuer"`
		JWKSURI string `json:"jwks_uri"`
	}
	address := issuer + "/.well-known/openid-configuration"
	if err := fetch(ctx, client, address, &about); err != nil {
		return nil, fmt.Errorf("discover the issuer: %w", err)
	}
	switch {
	case strings.TrimSuffix(about.Issuer, "/") != issuer:
		return nil, fmt.Errorf("discover the issuer: %s names %q as its issuer, not %q", address, about.Issuer, issuer)
	case about.JWKSURI == "":
		return nil, fmt.Errorf("discover the issuer: %s names no jwks_uri", address)
	}
	contacts, err := lru.New[viewer.UserID, identity](rememberedTokens)
	if err != nil {
		return nil, err
	}
	verifier := New(Config{
		Keys:     publishedKeys{client: client, address: about.JWKSURI},
		Issuer:   about.Issuer,
		Audience: audience,
		Now:      now,
	})
	return &External{verifier: verifier, contacts: contacts}, nil
}

// Authenticate names the caller behind an Authorization value, as
// Verifier.Authenticate does.
func (e *External) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	who, err := e.verifier.identify(ctx, authorization)
	if err == nil && (who.email != "" || who.phone != "") {
		e.contacts.Add(who.user, who)
	}
	return who.user, err
}

// Account returns the e-mail and phone that the issuer has verified for a user, as
// the latest token that named any told. Tokens are the only source, so a user who
// sends access tokens without contacts has none.
func (e *External) Account(_ context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	who, found := e.contacts.Get(id)
	return who.email, who.phone, found, nil
}

// publishedKeys reads a JWKS from its address.
type publishedKeys struct {
	client  *http.Client
	address string
}

func (p publishedKeys) PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := fetch(ctx, p.client, p.address, &set); err != nil {
		return nil, err
	}
	keys := make(map[string]crypto.PublicKey, len(set.Keys))
	for _, text := range set.Keys {
		// A key of a kind that we do not know must not hide the others.
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil && key.Use != "enc" && key.IsPublic() {
			keys[key.KeyID] = key.Key
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s publishes no signing key", p.address)
	}
	return keys, nil
}

func fetch(ctx context.Context, client *http.Client, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocument)).Decode(into); err != nil {
		return fmt.Errorf("%s does not answer with the JSON expected: %w", address, err)
	}
	return nil
}
