package app

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/slice"
	"stoa/systems/pantry/seed"
)

// seed adds generated households. The store may contain others, but none of the same people.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	people := seed.People(s.Seed, s.Users, s.Region)
	identities := slice.Map(people, func(p seed.Person) identity.Seeded { return identity.Seeded{UserID: p.ID, Email: p.Email} })
	if err := h.Issuer.Seed(ctx, host.SeedPassword, identities); err != nil {
		return "", fmt.Errorf("%w: seed an empty store, or give another --seed", err)
	}
	// Nobody is subscribed and no clean-up follows, so no events are sent.
	frame := decision.Frame{Clock: h.Now, NewID: seed.IDs(s.Seed)}
	r, err := seed.Fill(ctx, o.open(h, frame), s.Seed, people, time.Now(), s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the kitchens (%w): seed another store", err)
	}
	return fmt.Sprintf("%d users, %d groups, %d containers and %d foods.\n\nSign in as any of them, for example:\n   email     %s\n   password  %s\n",
		r.Users, r.Groups, r.Containers, r.Foods, r.Email, host.SeedPassword), nil
}
