package identity

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// BcryptCost is the default bcrypt cost. A hash takes about 60 ms of one core.
const BcryptCost = bcrypt.DefaultCost

// Bcrypt hashes passwords with bcrypt, for systems whose design requires it. At most one
// hash per core is computed at a time. It distinguishes passwords of up to 72 bytes and
// refuses longer ones.
type Bcrypt struct {
	cost  int
	turns chan struct{}
	// nobody returns the hash that passwords of unknown users are checked against.
	nobody func() ([]byte, error)
}

// NewBcrypt returns a Bcrypt with the given cost.
func NewBcrypt(cost int) *Bcrypt {
	return &Bcrypt{
		cost: cost, turns: make(chan struct{}, runtime.GOMAXPROCS(0)),
		nobody: sync.OnceValues(func() ([]byte, error) { return bcrypt.GenerateFromPassword([]byte("nobody"), cost) }),
	}
}

// Hash returns the hash to store for a password.
func (b *Bcrypt) Hash(ctx context.Context, password string) (hash []byte, err error) {
	err = b.turn(ctx, func() error {
		hash, err = bcrypt.GenerateFromPassword([]byte(password), b.cost)
		return err
	})
	return hash, err
}

// Matches reports whether password matches hash. An empty hash matches nothing, but takes
// as long to check as any other.
func (b *Bcrypt) Matches(ctx context.Context, hash []byte, password string) (matches bool, err error) {
	known := len(hash) > 0
	err = b.turn(ctx, func() error {
		if !known {
			if hash, err = b.nobody(); err != nil {
				return err
			}
		}
		err := bcrypt.CompareHashAndPassword(hash, []byte(password))
		matches = err == nil && known
		if errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) || errors.Is(err, bcrypt.ErrPasswordTooLong) {
			return nil
		}
		return err
	})
	return matches, err
}

func (b *Bcrypt) turn(ctx context.Context, f func() error) error {
	select {
	case b.turns <- struct{}{}:
		defer func() { <-b.turns }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}
