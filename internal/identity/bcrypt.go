package identity

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// BcryptCost is what one guess at a password costs by default, about 60 ms of one core.
const BcryptCost = bcrypt.DefaultCost

// Bcrypt hashes passwords for systems whose design names that function, no more at a time
// than there are cores. It tells passwords of up to 72 bytes apart and refuses longer ones.
type Bcrypt struct {
	cost  int
	turns chan struct{}
	// nobody is the hash that unknown users are checked against.
	nobody func() ([]byte, error)
}

// NewBcrypt returns a Bcrypt of a cost.
func NewBcrypt(cost int) *Bcrypt {
	return &Bcrypt{
		cost: cost, turns: make(chan struct{}, runtime.GOMAXPROCS(0)),
		nobody: sync.OnceValues(func() ([]byte, error) { return bcrypt.GenerateFromPassword([]byte("nobody"), cost) }),
	}
}

// Hash returns what is stored of a password.
func (b *Bcrypt) Hash(ctx context.Context, password string) (hash []byte, err error) {
	err = b.turn(ctx, func() error {
		hash, err = bcrypt.GenerateFromPassword([]byte(password), b.cost)
		return err
	})
	return hash, err
}

// Matches reports whether password is the one that was hashed. No hash matches nothing and
// takes as long as any other to say so.
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
