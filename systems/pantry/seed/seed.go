// Package seed invents households that share kitchens: people, groups, containers and
// foods, some of which have expired.
//
// Everything is determined by a seed, except for the present time, from which expiries are
// counted. All people have the same, publicly known password, so a seeded store must be
// accessible to developers only.
package seed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"stoa/internal/kit/fake"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
	"stoa/systems/pantry/resolvers"
)

// Person is a generated person.
type Person struct {
	ID          viewer.UserID
	Name, Email string
}

func as(p Person) viewer.Viewer { return viewer.Viewer{UserID: p.ID} }

// Result describes what was added.
type Result struct {
	Users, Groups, Containers, Foods int
	// Email is the address of a person who shares a kitchen.
	Email string
}

// People returns n people determined by seed.
func People(seed uint64, n int, region string) []Person {
	random := fake.Source(seed, 1)
	people := make([]Person, n)
	for i := range people {
		first, last := fake.Pick(random, fake.FirstNames), fake.Pick(random, fake.LastNames)
		people[i] = Person{
			ID:   viewer.UserID(region + ":" + fake.UUID(random)),
			Name: first, Email: fmt.Sprintf("%s.%s.%d@kitchen.example", first, last, i+1),
		}
	}
	return people
}

// IDs returns a generator of ids determined by seed.
func IDs(seed uint64) func() string { return fake.IDs(fake.Source(seed, 2)) }

// Fill adds households of one to four people, each with a fridge and some other containers.
func Fill(ctx context.Context, a *resolvers.Resolver, seed uint64, people []Person, now time.Time, progress func(done, total int)) (r Result, err error) {
	random := fake.Source(seed, 3)
	for done := 0; done < len(people); {
		home := people[done:min(done+1+random.IntN(4), len(people))]
		if err := household(ctx, a, random, home, now, &r); err != nil {
			return r, err
		}
		if done += len(home); progress != nil {
			progress(done, len(people))
		}
	}
	return r, nil
}

func household(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, home []Person, now time.Time, r *Result) error {
	for _, p := range home {
		if _, err := a.Household.Create(ctx, as(p), &p.Name); err != nil {
			return fmt.Errorf("register %s: %w", p.Email, err)
		}
		r.Users, r.Groups, r.Containers = r.Users+1, r.Groups+1, r.Containers+1
	}
	founder := home[0]
	name := fake.Pick(random, kinds) + " " + fake.Pick(random, streets)
	group, err := a.Household.CreateGroup(ctx, as(founder), &name)
	if err != nil {
		return err
	}
	link, err := a.Invite.Generate(ctx, as(founder), group.ID())
	if err != nil {
		return err
	}
	r.Groups++
	for _, p := range home[1:] {
		if _, err := a.Invite.Join(ctx, as(p), link.Code()); err != nil {
			return err
		}
	}
	for i, container := range containers {
		if i > 0 && random.IntN(3) == 0 {
			continue
		}
		foods := stock(random, container.foods, now)
		by := as(home[random.IntN(len(home))])
		c, err := a.Kitchen.Create(ctx, by, group.ID(), &container.name)
		if err != nil {
			return err
		}
		if _, err := a.Kitchen.AddAll(ctx, by, c.ID(), foods); err != nil {
			return err
		}
		r.Containers, r.Foods = r.Containers+1, r.Foods+len(foods)
	}
	if len(home) > 1 && r.Email == "" || r.Users == 1 {
		r.Email = founder.Email
	}
	return nil
}

// stock returns foods of a kind, most of which have not expired.
func stock(random *rand.Rand, of []food, now time.Time) (foods []pantry.NewFood) {
	today := now.UTC().Truncate(24 * time.Hour)
	for _, i := range random.Perm(len(of))[:min(len(of), 3+random.IntN(pantry.MaxAdded-3))] {
		f := of[i]
		n := pantry.NewFood{Name: f.name, Category: &f.category}
		if f.unit != "" {
			n.Unit = &f.unit
		}
		if random.IntN(6) > 0 {
			// Opened packs have quarters of their content left.
			q := pantry.MustDecimal(fmt.Sprintf("%.2f", f.pack*float64(1+random.IntN(8))/4))
			n.Quantity = &q
		}
		if f.days > 0 && random.IntN(10) > 0 {
			at := today.AddDate(0, 0, random.IntN(f.days+f.days/8+3)-f.days/8-2).Add(22 * time.Hour)
			n.Expiry = &at
		}
		foods = append(foods, n)
	}
	return foods
}
