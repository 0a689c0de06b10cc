package identity

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// ringAge is how long another process may continue to sign with a key after this one
	// has replaced it.
	ringAge = time.Minute
	// keyRetention is how long a replaced key remains published. Tokens are valid for an
	// hour; the rest is for verifiers that cache keys.
	keyRetention = 24 * time.Hour
	// keyLife is how long a key signs before RotateOld replaces it.
	keyLife = 30 * 24 * time.Hour
)

// Keyring holds the signing keys of tokens (ES256). All processes with the same store share
// them. The newest key signs; the others are kept until their tokens have expired.
type Keyring struct {
	store KeyStore
	now   func() time.Time
	newID func() string

	mu     sync.Mutex
	ring   []signingKey // oldest first, never empty
	readAt time.Time
}

type signingKey struct {
	Key
	public crypto.PublicKey
	signer jose.Signer
}

// OpenKeyring reads the keys of a store, or creates the first. Two processes that start at
// once may both create one, which is harmless.
func OpenKeyring(ctx context.Context, store KeyStore, now func() time.Time, newID func() string) (*Keyring, error) {
	k := &Keyring{store: store, now: now, newID: newID}
	ring, err := k.load(ctx)
	if errors.Is(err, errNoKeys) {
		if err = k.add(ctx); err == nil {
			ring, err = k.load(ctx)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the signing keys: %w", err)
	}
	k.ring, k.readAt = ring, now()
	return k, nil
}

// PublicKeys returns the keys that may have valid tokens, by key id. It always reads the
// store.
func (k *Keyring) PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	ring, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	keys := make(map[string]crypto.PublicKey, len(ring))
	for _, key := range ring {
		keys[key.KeyID] = key.public
	}
	return keys, nil
}

// RotateOld replaces the signing key if it is old, and removes replaced keys whose tokens
// have all expired.
func (k *Keyring) RotateOld(ctx context.Context) error {
	ring, err := k.load(ctx)
	if err != nil {
		return err
	}
	if k.now().Sub(ring[len(ring)-1].CreatedAt) >= keyLife {
		if err := k.add(ctx); err != nil {
			return err
		}
		if ring, err = k.load(ctx); err != nil {
			return err
		}
	}
	for len(ring) > 1 && k.now().Sub(ring[1].CreatedAt) >= keyRetention {
		if err := k.store.RemoveKey(ctx, keyForTokens, ring[0].KeyID); err != nil {
			return err
		}
		ring = ring[1:]
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring, k.readAt = ring, k.now()
	return nil
}

// current returns the ring, reading it again if it is old. Its last key signs.
func (k *Keyring) current(ctx context.Context) ([]signingKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.now().Sub(k.readAt) < ringAge {
		return k.ring, nil
	}
	ring, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	k.ring, k.readAt = ring, k.now()
	return ring, nil
}

var errNoKeys = errors.New("the store holds no signing key")

func (k *Keyring) load(ctx context.Context) ([]signingKey, error) {
	stored, err := k.store.Keys(ctx, keyForTokens)
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		return nil, errNoKeys
	}
	slices.SortFunc(stored, func(a, b Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.KeyID, b.KeyID))
	})
	ring := make([]signingKey, len(stored))
	for i, key := range stored {
		if ring[i], err = openKey(key); err != nil {
			return nil, fmt.Errorf("signing key %s: %w", key.KeyID, err)
		}
	}
	return ring, nil
}

// add stores a new key.
func (k *Keyring) add(ctx context.Context) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	createdAt := k.now().UTC().Truncate(time.Microsecond)
	return k.store.AddKey(ctx, Key{Use: keyForTokens, KeyID: k.newID(), Private: der, CreatedAt: createdAt})
}

func openKey(key Key) (signingKey, error) {
	private, err := x509.ParsePKCS8PrivateKey(key.Private)
	if err != nil {
		return signingKey{}, err
	}
	elliptic, ok := private.(*ecdsa.PrivateKey)
	if !ok {
		return signingKey{}, fmt.Errorf("is a %T, not an ECDSA key", private)
	}
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.ES256, Key: elliptic},
		(&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", key.KeyID))
	return signingKey{Key: key, public: elliptic.Public(), signer: signer}, err
}
