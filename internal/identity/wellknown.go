package identity

import (
	"maps"
	"net/http"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// getJWKS publishes the verification keys. It always reads the store, since a verifier asks
// when it has seen an unknown key.
func (s *Issuer) getJWKS(c call) (int, any, error) {
	keys, err := s.Keys.PublicKeys(c.Context())
	set := jose.JSONWebKeySet{Keys: make([]jose.JSONWebKey, 0, len(keys))}
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: keys[id], KeyID: id, Algorithm: string(jose.ES256), Use: "sig"})
	}
	return http.StatusOK, set, err
}

// getConfiguration publishes where the keys are. There is no authorization endpoint:
// sign-in uses the requests of this package rather than redirects.
func (s *Issuer) getConfiguration(call) (int, any, error) {
	return http.StatusOK, map[string]any{
		"issuer":                                s.PublicURL,
		"jwks_uri":                              s.PublicURL + "/.well-known/jwks.json",
		"response_types_supported":              []string{"token", "id_token"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{string(jose.ES256)},
		"claims_supported": []string{"iss", "sub", "aud", "iat", "exp", "token_use",
			"email", "email_verified", "phone_number", "phone_number_verified"},
	}, nil
}
