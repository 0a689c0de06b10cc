package identity

import (
	"net/http"

	"github.com/go-jose/go-jose/v4"
)

// published marks a document that is the same for everybody and may be cached.
type published struct{ document any }

// getJWKS publishes the keys that tokens are checked with.
func (s *Issuer) getJWKS(c call) (int, any, error) {
	ring, err := s.Keys.current(c.Context())
	set := jose.JSONWebKeySet{Keys: make([]jose.JSONWebKey, len(ring))}
	for i, key := range ring {
		set.Keys[i] = jose.JSONWebKey{Key: key.public, KeyID: key.KeyID, Algorithm: string(jose.ES256), Use: "sig"}
	}
	return http.StatusOK, published{set}, err
}

// getConfiguration lets verifiers find the keys. There is no authorization endpoint:
// sign-in is by the requests of this package, not by redirects.
func (s *Issuer) getConfiguration(call) (int, any, error) {
	return http.StatusOK, published{map[string]any{
		"issuer":                                s.PublicURL,
		"jwks_uri":                              s.PublicURL + "/.well-known/jwks.json",
		"response_types_supported":              []string{"token", "id_token"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{string(jose.ES256)},
		"claims_supported": []string{"iss", "sub", "aud", "iat", "exp", "token_use",
			"email", "email_verified", "phone_number", "phone_number_verified"},
	}}, nil
}
