package identity

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Seeded is a user to be given an identity without signing up.
type Seeded struct {
	UserID viewer.UserID
	Email  string
}

// seedWriters is the number of concurrent writes, which lets them share the store's
// commits.
const seedWriters = 32

// seedCost makes a seeded hash almost free. The first sign-in replaces it by a hash with
// the usual cost.
var seedCost = Cost{MemoryKiB: 8, Passes: 1}

// Seed creates identities with verified e-mail addresses and a common password, which is
// accepted in dev only. Its hash is cheap and shared, so it does not protect the password:
// it is meant for generated data.
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
			switch {
			case refusal.KindOf(err) == refusal.Conflict:
				return refusal.New(refusal.Conflict, "", "%s is there already", p.Email)
			case err != nil:
				return fmt.Errorf("seed %s (%s): %w", p.UserID, p.Email, err)
			}
			return nil
		})
	}
	return cmp.Or(writers.Wait(), ctx.Err())
}
