package identity

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"sync"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// passwordKey is the RSA key that apps encrypt new passwords with. It is generated on first
// use, because that would delay the start too much.
type passwordKey struct {
	store KeyStore
	now   func() time.Time

	mu  sync.Mutex
	key *rsa.PrivateKey
}

const (
	passwordKeyID   = "rsa"
	passwordKeyBits = 2048
)

func (p *passwordKey) get(ctx context.Context) (*rsa.PrivateKey, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.key != nil {
		return p.key, nil
	}
	der, err := SharedKey(
		ctx,
		p.store,
		Key{Use: keyForPasswords, KeyID: passwordKeyID, CreatedAt: p.now().UTC().Truncate(time.Microsecond)},
		func() ([]byte, error) {
			key, err := rsa.GenerateKey(rand.Reader, passwordKeyBits)
			if err != nil {
				return nil, err
			}
			return x509.MarshalPKCS8PrivateKey(key)
		},
	)
	if err != nil {
		return nil, fmt.Errorf("open the password key: %w", err)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("open the password key: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("open the password key: it is a %T, not an RSA key", parsed)
	}
	p.key = key
	return key, nil
}

// PasswordKeyPEM returns the public key that SetPassword expects passwords to be
// encrypted with.
func (s *Issuer) PasswordKeyPEM(ctx context.Context) ([]byte, error) {
	key, err := s.passwordKey.get(ctx)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// SetPassword sets the password of an identity, encrypted with RSA-OAEP with SHA-1 and no
// label, in base64. Sessions remain valid.
func (s *Issuer) SetPassword(ctx context.Context, id viewer.UserID, encrypted string) error {
	key, err := s.passwordKey.get(ctx)
	if err != nil {
		return err
	}
	cipher, err := base64.StdEncoding.DecodeString(encrypted)
	if err != nil {
		return errUndecryptable
	}
	password, err := rsa.DecryptOAEP(sha1.New(), nil, key, cipher, nil)
	if err != nil {
		return errUndecryptable
	}
	if !validPassword(string(password)) {
		return refusal.Invalidf("Invalid password")
	}
	hash, err := s.passwords.hash(ctx, string(password))
	if err != nil {
		return err
	}
	_, err = s.change(ctx, id, func(i *Identity) error {
		if !lives(*i) {
			return refusal.NotFoundf("No account for `%s`", string(id))
		}
		i.PasswordHash, i.Reset, i.Seeded = hash, Code{}, false
		return nil
	})
	return err
}

var errUndecryptable = refusal.Invalidf("Unable to decrypt encrypted password")
