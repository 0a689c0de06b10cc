package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/crypto/argon2"
)

// Cost is the cost of a password hash (argon2id). Hashes record their cost, so it can be
// changed at any time.
type Cost struct {
	// MemoryKiB is the memory used by one hash, Passes the number of passes over it.
	MemoryKiB, Passes uint32
}

// DefaultCost takes about 30 ms of one core and 19 MiB.
var DefaultCost = Cost{MemoryKiB: 19 << 10, Passes: 2}

const (
	saltSize = 16
	hashSize = 32
)

// hasher computes and checks password hashes, at most one per core at a time: more would
// not be faster, and each holds its memory.
type hasher struct {
	cost   Cost
	random io.Reader
	turns  chan struct{}
	derive func(password, salt []byte, cost Cost) []byte
	// nobody is the hash that passwords of unknown users are checked against.
	nobody string
}

func newHasher(cost Cost, random io.Reader) *hasher {
	h := &hasher{cost: cost, random: random, turns: make(chan struct{}, runtime.GOMAXPROCS(0)), derive: argon}
	h.nobody = encodeHash(cost, make([]byte, saltSize), make([]byte, hashSize))
	return h
}

func argon(password, salt []byte, cost Cost) []byte {
	return argon2.IDKey(password, salt, cost.Passes, cost.MemoryKiB, 1, hashSize)
}

// hash returns the hash to store for a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", err
	}
	sum, err := h.turn(ctx, password, salt, h.cost)
	if err != nil {
		return "", err
	}
	return encodeHash(h.cost, salt, sum), nil
}

// matches reports whether password matches hash. An empty hash matches nothing, but takes
// as long to check as any other.
func (h *hasher) matches(ctx context.Context, hash, password string) (bool, error) {
	known := hash != ""
	if !known {
		hash = h.nobody
	}
	cost, salt, want, err := decodeHash(hash)
	if err != nil {
		return false, err
	}
	got, err := h.turn(ctx, password, salt, cost)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

// outdated reports whether a hash has a cost other than the current one.
func (h *hasher) outdated(hash string) bool {
	cost, _, _, err := decodeHash(hash)
	return err == nil && cost != h.cost
}

func (h *hasher) turn(ctx context.Context, password string, salt []byte, cost Cost) ([]byte, error) {
	select {
	case h.turns <- struct{}{}:
		defer func() { <-h.turns }()
		return h.derive([]byte(password), salt, cost), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hashForm is the usual text form of argon2 hashes, so that accounts can be moved to and
// from other issuers.
const hashForm = "$argon2id$v=19$m=%d,t=%d,p=1$%s"

func encodeHash(cost Cost, salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf(hashForm, cost.MemoryKiB, cost.Passes, b64.EncodeToString(salt)+"$"+b64.EncodeToString(sum))
}

func decodeHash(hash string) (cost Cost, salt, sum []byte, err error) {
	var tail string
	if _, err = fmt.Sscanf(hash, hashForm, &cost.MemoryKiB, &cost.Passes, &tail); err != nil {
		return cost, nil, nil, fmt.Errorf("stored password hash: %w", err)
	}
	b64 := base64.RawStdEncoding
	saltLength := b64.EncodedLen(saltSize)
	if len(tail) != saltLength+1+b64.EncodedLen(hashSize) || tail[saltLength] != '$' {
		return cost, nil, nil, fmt.Errorf("stored password hash has an unknown form")
	}
	if salt, err = b64.DecodeString(tail[:saltLength]); err == nil {
		sum, err = b64.DecodeString(tail[saltLength+1:])
	}
	return cost, salt, sum, err
}
