package jwks

import (
	"context"
	"crypto"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// maxDocument is the maximum size of an issuer's response, in bytes.
const maxDocument = 1 << 20

// Discover returns the address of an issuer's keys, and the issuer's own name. That must
// equal issuer, except for a trailing slash.
func Discover(ctx context.Context, client *http.Client, issuer string) (name, keys string, err error) {
	issuer = strings.TrimSuffix(issuer, "/")
	var about struct {
		Issuer  string `json:"issuer"`
		JWKSURI string `json:"jwks_uri"`
	}
	address := issuer + "/.well-known/openid-configuration"
	if err := fetch(ctx, client, address, &about); err != nil {
		return "", "", fmt.Errorf("discover the issuer: %w", err)
	}
	switch {
	case strings.TrimSuffix(about.Issuer, "/") != issuer:
		return "", "", fmt.Errorf("discover the issuer: %s names %q as its issuer, not %q", address, about.Issuer, issuer)
	case about.JWKSURI == "":
		return "", "", fmt.Errorf("discover the issuer: %s names no jwks_uri", address)
	}
	return about.Issuer, about.JWKSURI, nil
}

// Published is a Source that reads a JWKS from its address.
type Published struct {
	Client  *http.Client
	Address string
}

// PublicKeys reads the verification keys.
func (p Published) PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := fetch(ctx, p.Client, p.Address, &set); err != nil {
		return nil, err
	}
	keys := make(map[string]crypto.PublicKey, len(set.Keys))
	for _, text := range set.Keys {
		// A key of an unknown kind must not hide the others.
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil && key.Use != "enc" && key.IsPublic() {
			keys[key.KeyID] = key.Key
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s publishes no signing key", p.Address)
	}
	return keys, nil
}

// Discovered is a Source that discovers the address of an issuer's keys before each read,
// which is rare. Nothing needs to be reachable at startup.
type Discovered struct {
	Client *http.Client
	Issuer string
}

// PublicKeys finds and reads the verification keys.
func (d Discovered) PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	_, keys, err := Discover(ctx, d.Client, d.Issuer)
	if err != nil {
		return nil, err
	}
	return Published{d.Client, keys}.PublicKeys(ctx)
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
		return fmt.Errorf("%s responded with %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocument)).Decode(into); err != nil {
		return fmt.Errorf("unexpected response from %s: %w", address, err)
	}
	return nil
}
