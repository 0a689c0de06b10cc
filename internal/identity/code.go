package identity

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

const (
	codeLife  = 15 * time.Minute
	codeTries = 5
	// worthRepeating is the remaining life from which a requested code is sent again rather
	// than replaced.
	worthRepeating = codeLife / 3
)

// errCode is returned for every invalid code alike, so that callers cannot find out which
// identities exist or have codes pending.
var errCode = refusal.Invalidf("Verification code is invalid")

// codes generates codes of six digits. Only a digest of a code is stored. It would not stop
// an attacker who can read the table, but keeps valid codes out of exports and logs.
//
// The digits are a function of a secret key and of what the code is for, so that a code can
// be sent again: if each request replaced the previous code, anyone could invalidate the
// codes of others by requesting more.
type codes struct {
	store KeyStore
	now   func() time.Time

	mu  sync.Mutex
	key []byte
}

const (
	codeKeyID    = "hmac"
	codeKeyBytes = 32
)

// open returns the key, which is generated on first use.
func (c *codes) open(ctx context.Context) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.key != nil {
		return c.key, nil
	}
	key, err := SharedKey(ctx, c.store, Key{Use: keyForCodes, KeyID: codeKeyID, CreatedAt: c.now().UTC().Truncate(time.Microsecond)}, func() ([]byte, error) {
		key := make([]byte, codeKeyBytes)
		_, err := rand.Read(key)
		return key, err
	})
	if err != nil {
		return nil, fmt.Errorf("open the key of codes: %w", err)
	}
	c.key = key
	return key, nil
}

// Purposes of a code.
const (
	toConfirm = "confirm"
	toReset   = "reset"
)

// renew returns the digits of the pending code c, which is for a purpose and was sent to a
// contact of an identity. A code that is used up or about to expire is replaced first.
func (c *codes) renew(ctx context.Context, pending *Code, purpose string, id viewer.UserID, to string) (digits string, err error) {
	key, err := c.open(ctx)
	if err != nil {
		return "", err
	}
	now := c.now().UTC().Truncate(time.Microsecond)
	derive := func(expiresAt time.Time) string {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s %q %q %d", purpose, string(id), to, expiresAt.UnixMicro())
		return fmt.Sprintf("%06d", binary.BigEndian.Uint64(mac.Sum(nil))%1_000_000)
	}
	digits = derive(pending.ExpiresAt)
	if pending.TriesLeft > 0 && pending.ExpiresAt.Sub(now) >= worthRepeating && pending.Digest == digest(digits) {
		return digits, nil
	}
	expiresAt := now.Add(codeLife)
	if !expiresAt.After(pending.ExpiresAt) {
		expiresAt = pending.ExpiresAt.Add(time.Microsecond) // other digits than before
	}
	digits = derive(expiresAt)
	*pending = Code{Digest: digest(digits), ExpiresAt: expiresAt, TriesLeft: codeTries}
	return digits, nil
}

// try reports whether digits are the code, and uses up one attempt if not.
func try(c *Code, digits string, now time.Time) bool {
	if c.TriesLeft == 0 || !now.Before(c.ExpiresAt) {
		return false
	}
	if subtle.ConstantTimeCompare([]byte(c.Digest), []byte(digest(digits))) == 1 {
		return true
	}
	c.TriesLeft--
	return false
}

// digest returns the digest of a secret for storage.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
