// Package seed invents people of some cities with their communities, chats and messages.
//
// Everything is determined by a seed. All people have the same, publicly known password, so
// a seeded store must be accessible to developers only.
package seed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"stoa/internal/kit/fake"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
	"stoa/systems/communities/resolvers"
)

// Result describes what was added.
type Result struct {
	Users, Communities, Chats, Messages int
	// Email is the address of the owner of a private chat with a pending request.
	Email string
}

// IDs returns a generator of ids determined by seed.
func IDs(seed uint64) func() string { return fake.IDs(fake.Source(seed, 2)) }

// person is a generated person.
type person struct {
	id    communities.UserID
	email string
}

func as(p person) viewer.Viewer { return viewer.Viewer{UserID: p.id} }

// size is the approximate number of people in a community.
const size = 20

// Fill adds people, and for each twenty of them a community with chats.
func Fill(ctx context.Context, a *resolvers.Resolver, seed uint64, users int, password string, progress func(done, total int)) (r Result, err error) {
	random := fake.Source(seed, 1)
	for r.Users < users {
		at := fake.Pick(random, places)
		var some []person
		for range min(size, users-r.Users) {
			first, last := fake.Pick(random, fake.FirstNames), fake.Pick(random, fake.LastNames)
			r.Users++
			p := person{email: fmt.Sprintf("%s.%s.%d@town.example", first, last, r.Users)}
			bio := fake.Pick(random, bios)
			in, err := a.Accounts.SignUp(ctx, viewer.Viewer{}, communities.Registration{
				Username: fmt.Sprintf("%s_%s_%d", first, last, r.Users), Name: strings.ToUpper(first[:1]) + first[1:], Email: p.email,
				Password: password, Location: at, Bio: &bio,
			})
			if err != nil {
				return r, err
			}
			p.id = in.User.ID()
			some = append(some, p)
		}
		if err := community(ctx, a, random, at, some, &r); err != nil {
			return r, err
		}
		if progress != nil {
			progress(r.Users, users)
		}
	}
	return r, nil
}

// community adds a community of people with an open and a private chat.
func community(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, at communities.Location, people []person, r *Result) error {
	founder := people[0]
	topic := fake.Pick(random, communities.Topics)
	r.Communities++
	c, err := a.Communities.Create(ctx, as(founder), communities.CommunityPlan{
		Name: fmt.Sprintf("%s %s %d", at.City, titles[topic], r.Communities), Description: "People of " + at.City + " who listen to each other.",
		Topic: topic, Location: at,
	})
	if err != nil {
		return err
	}
	for _, p := range people[1:] {
		if _, err := a.Communities.Join(ctx, as(p), c.ID()); err != nil {
			return err
		}
	}
	open, err := a.Chats.Create(ctx, as(founder), c.ID(), communities.ChatPlan{Name: "Coffee", Description: "Whoever comes by is welcome."})
	if err != nil {
		return err
	}
	r.Chats++
	inside := people[:1]
	for _, p := range people[1:min(8, len(people))] {
		if _, err := a.Chats.Join(ctx, as(p), open.ID()); err != nil {
			return err
		}
		inside = append(inside, p)
	}
	for range 3 + random.IntN(10) {
		by, said := as(fake.Pick(random, inside)), communities.Draft{Content: fake.Pick(random, lines)}
		if _, err := a.Messages.Send(ctx, by, communities.GroupRef(open.ID()), said); err != nil {
			return err
		}
		r.Messages++
	}
	if len(people) < 3 {
		return nil
	}
	owner := people[1]
	private, err := a.Chats.Create(ctx, as(owner), c.ID(),
		communities.ChatPlan{Name: "Tuesday group", Description: "A small circle. Say why you would like to come.", Closed: true})
	if err != nil {
		return err
	}
	r.Chats++
	for i, p := range people[2:min(6, len(people))] {
		note := fake.Pick(random, notes)
		asked, err := a.Requests.Ask(ctx, as(p), private.ID(), &note)
		if err == nil && i%2 == 1 {
			_, err = a.Requests.Accept(ctx, as(owner), asked.ID())
		}
		if err != nil {
			return err
		}
	}
	r.Email = owner.email
	return nil
}
