package push

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"github.com/go-jose/go-jose/v4"
)

// newSigner returns a signer with a PKCS #8 key of type K, which is kind, such as "an RSA
// key". Errors name the key as what.
func newSigner[K any](what string, key []byte, kind string, algorithm jose.SignatureAlgorithm, o *jose.SignerOptions) (jose.Signer, error) {
	block, _ := pem.Decode(key)
	if block == nil {
		return nil, fmt.Errorf("%s is not PEM", what)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if _, ok := parsed.(K); !ok {
		return nil, fmt.Errorf("%s is a %T, not %s", what, parsed, kind)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: parsed}, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return signer, nil
}
