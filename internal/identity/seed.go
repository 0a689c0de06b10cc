package identity

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"stoa/internal/kit/viewer"
)

// Seeded is somebody to be given an identity without signing up.
type Seeded struct {
	UserID viewer.UserID
	Email  string
}

// seedWriters is how many identities are written at once, so that they share the
// store's commits.
const seedWriters = 32

// seedCost makes a seeded hash almost free. It is replaced by one of the usual cost
// at the first sign-in.
var seedCost = Cost{MemoryKiB: 8, Passes: 1}

// Seed makes identities with verified e-mails that all have the same password, which is
// accepted in dev only. Its hash is cheap and shared, so the password is worth nothing to
// anyone who can read the store: it is meant for invented data.
func (s *Issuer) Seed(ctx context.Context, password string, people []Seeded) error {
	hash, err := newHasher(seedCost, s.Random).hash(ctx, password)
	if err != nil {
		return err
	}
	now := s.now()
	writers, running := errgroup.WithContext(ctx)
	writers.SetLimit(seedWriters)
	for _, p := range people {
		if running.Err() != nil {
			break
		}
		writers.Go(func() error {
			err := s.Store.SaveIdentity(running, Identity{UserID: p.UserID}, Identity{
				UserID: p.UserID, Entered: true, PasswordHash: hash, Seeded: true, Email: p.Email, CreatedAt: now, Revision: 1,
			})
			if err != nil {
				return fmt.Errorf("seed %s (%s): %w", p.UserID, p.Email, err)
			}
			return nil
		})
	}
	return cmp.Or(writers.Wait(), ctx.Err())
}
