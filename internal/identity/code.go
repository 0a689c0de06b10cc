package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"time"

	"stoa/internal/kit/refusal"
)

const (
	codeLife  = 15 * time.Minute
	codeTries = 5
)

// errCode is returned for every invalid code alike, so that callers cannot find out which
// identities exist or have codes pending.
var errCode = refusal.Invalidf("Verification code is invalid")

// newCode generates a code of six random digits. Only a digest is stored. It would not stop
// an attacker who can read the table, but keeps valid codes out of exports and logs.
func newCode(random io.Reader, now time.Time) (Code, string, error) {
	n, err := rand.Int(random, big.NewInt(1_000_000))
	if err != nil {
		return Code{}, "", err
	}
	digits := fmt.Sprintf("%06d", n)
	return Code{Digest: digest(digits), ExpiresAt: now.Add(codeLife), TriesLeft: codeTries}, digits, nil
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
