package app

import (
	"context"
	"fmt"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/slice"
	"stoa/systems/archive"
	"stoa/systems/archive/seed"
)

// seed adds a generated archive. The store may contain another one, but none with the same
// people.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	people := seed.People(s.Seed, s.Users, s.Region)
	identities := slice.Map(people, func(p seed.Person) identity.Seeded { return identity.Seeded{UserID: p.ID, Email: p.Email} })
	if err := h.Issuer.Seed(ctx, host.SeedPassword, identities); err != nil {
		return "", fmt.Errorf("%w: seed an empty store, or give another --seed", err)
	}
	f := newFiles(h)
	// Nobody is subscribed, and all work is done here, so no events are sent.
	a := o.open(h, decision.Frame{Clock: h.Now, NewID: seed.IDs(s.Seed)}, f)
	a.Records.Limits = archive.ImportLimits{}
	r, err := seed.Fill(ctx, a, s.Seed, people, s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the archive (%w): seed another store", err)
	}
	return fmt.Sprintf("%d users, %d places, %d collections, %d posts (%d published), %d records and %d households.\n\n"+
		"Sign in as any of them, for example as the administrator:\n   email     %s\n   password  %s\n",
		r.Users, r.Places, r.Collections, r.Posts, r.Published, r.Records, r.Households, r.Email, host.SeedPassword), nil
}
