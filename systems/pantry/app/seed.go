package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
	"stoa/systems/pantry/resolvers"
	"stoa/systems/pantry/seed"
)

// seed adds generated households. The store may contain others, but none of the same people.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	people := seed.People(s.Seed, s.Users, s.Region)
	identities := make([]identity.Seeded, len(people))
	for i, p := range people {
		identities[i] = identity.Seeded{UserID: p.ID, Email: p.Email}
	}
	if err := h.Issuer.Seed(ctx, host.SeedPassword, identities); err != nil {
		return "", fmt.Errorf("%w: seed an empty store, or give another --seed", err)
	}
	// Nobody is subscribed and no clean-up follows, so no events are sent.
	frame := decision.Frame{Clock: h.Now, NewID: seed.IDs(s.Seed)}
	r, err := seed.Fill(ctx, seeder{o.open(h, frame)}, s.Seed, people, time.Now(), s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the kitchens (%w): seed another store", err)
	}
	return fmt.Sprintf("%d users, %d groups, %d containers and %d foods.\n\nSign in as any of them, for example:\n   email     %s\n   password  %s\n",
		r.Users, r.Groups, r.Containers, r.Foods, r.Email, host.SeedPassword), nil
}

// seeder adds generated households with the areas.
type seeder struct{ *resolvers.Resolver }

func (s seeder) Register(ctx context.Context, p seed.Person) error {
	_, err := s.Household.Create(ctx, as(p), &p.Name)
	return err
}

func (s seeder) Found(ctx context.Context, founder seed.Person, name string) (pantry.GroupID, string, error) {
	g, err := s.Household.CreateGroup(ctx, as(founder), &name)
	if err != nil {
		return "", "", err
	}
	l, err := s.Invite.Generate(ctx, as(founder), g.ID())
	if err != nil {
		return "", "", err
	}
	return g.ID(), l.Code(), nil
}

func (s seeder) Join(ctx context.Context, p seed.Person, code string) error {
	_, err := s.Invite.Join(ctx, as(p), code)
	return err
}

func (s seeder) Stock(ctx context.Context, by seed.Person, group pantry.GroupID, container string, foods []pantry.NewFood) error {
	c, err := s.Kitchen.Create(ctx, as(by), group, &container)
	if err != nil {
		return err
	}
	if len(foods) == 0 {
		return errors.New("an empty container")
	}
	_, err = s.Kitchen.AddAll(ctx, as(by), c.ID(), foods)
	return err
}

func as(p seed.Person) viewer.Viewer { return viewer.Viewer{UserID: p.ID} }
