package app

import (
	"context"
	"fmt"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
	"stoa/systems/archive/resolvers"
	"stoa/systems/archive/seed"
)

// seed adds a generated archive. The store may contain another one, but none with the same
// people.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	people := seed.People(s.Seed, s.Users, s.Region)
	identities := make([]identity.Seeded, len(people))
	for i, p := range people {
		identities[i] = identity.Seeded{UserID: p.ID, Email: p.Email}
	}
	if err := h.Issuer.Seed(ctx, host.SeedPassword, identities); err != nil {
		return "", fmt.Errorf("%w: seed an empty store, or give another --seed", err)
	}
	f := newFiles(h)
	// Nobody is subscribed, and all work is done here, so no events are sent.
	a := o.open(h, decision.Frame{Clock: h.Now, NewID: seed.IDs(s.Seed)}, f)
	a.Records.Limits = archive.ImportLimits{}
	r, err := seed.Fill(ctx, seeder{a}, s.Seed, people, s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the archive (%w): seed another store", err)
	}
	return fmt.Sprintf("%d users, %d places, %d collections, %d posts (%d published), %d records and %d households.\n\n"+
		"Sign in as any of them, for example as the administrator:\n   email     %s\n   password  %s\n",
		r.Users, r.Places, r.Collections, r.Posts, r.Published, r.Records, r.Households, r.Email, host.SeedPassword), nil
}

// seeder adds a generated archive with the areas.
type seeder struct{ *resolvers.Resolver }

func as(p seed.Person) viewer.Viewer { return viewer.Viewer{UserID: p.ID} }

// Register signs in a person and sets their level.
func (s seeder) Register(ctx context.Context, p seed.Person) error {
	s.People.Level = p.Level
	_, err := s.People.SignIn(ctx, as(p))
	return err
}

func (s seeder) Prepare(
	ctx context.Context,
	by seed.Person,
	places []*archive.Place,
	words []archive.PlaceWord,
	settings archive.PlaceSettings,
	entries []archive.PostMetadataField,
) error {
	if _, err := s.Places.Load(ctx, as(by), places); err != nil {
		return err
	}
	if _, err := s.Places.LoadWords(ctx, as(by), words); err != nil {
		return err
	}
	if saved, err := s.Places.Settings(ctx, as(by)); err != nil || saved != nil {
		return err
	}
	if _, err := s.Places.SaveSettings(ctx, as(by), settings, nil); err != nil {
		return err
	}
	_, err := s.Settings.Save(ctx, as(by), entries, nil)
	return err
}

// Category returns a category of an archive that was added before, or creates one.
func (s seeder) Category(ctx context.Context, by seed.Person, name string) (archive.ID, error) {
	there, err := s.Catalog.Categories(ctx, as(by), name, page.Args{})
	if err != nil {
		return 0, err
	}
	for _, c := range there.Items {
		if archive.Fold(c.Name) == archive.Fold(name) {
			return c.ID, nil
		}
	}
	c, err := s.Catalog.CreateCategory(ctx, as(by), name)
	if err != nil {
		return 0, err
	}
	return c.ID, nil
}

func (s seeder) Collection(ctx context.Context, by seed.Person, plan archive.CollectionPlan) (archive.ID, error) {
	c, err := s.Catalog.CreateCollection(ctx, as(by), plan)
	if err != nil {
		return 0, err
	}
	return c.ID, nil
}

func (s seeder) Post(ctx context.Context, by seed.Person, plan archive.PostPlan) (archive.ID, error) {
	p, err := s.Posts.Create(ctx, as(by), plan)
	if err != nil {
		return 0, err
	}
	return p.ID, nil
}

func (s seeder) Import(ctx context.Context, by seed.Person, post archive.ID, csv string) (*archive.ImportResult, error) {
	return s.Records.Import(ctx, as(by), post, csv)
}

// Publish also acts as the publisher, or makes it report a failure.
func (s seeder) Publish(ctx context.Context, by seed.Person, post archive.ID, failure string) error {
	p, err := s.Posts.Post(ctx, as(by), post)
	if err != nil {
		return err
	}
	p, err = s.Posts.Publish(ctx, as(by), post, p.LastUpdateTime)
	if err != nil {
		return err
	}
	if failure == "" {
		return s.Posts.PublishRequested(ctx, archive.PublishRequested{PostID: post}, nil)
	}
	for _, r := range []archive.WorkerReport{archive.Started, archive.Failed} {
		after, err := p.ReportPublish(r, failure, s.Posts.Now())
		if err != nil {
			return err
		}
		if err := s.Posts.Store.Change(ctx, p, after); err != nil {
			return err
		}
		p = after
	}
	return nil
}
