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
	"stoa/systems/communities"
)

// Areas adds generated things with the areas, as for clients.
type Areas interface {
	Register(ctx context.Context, r communities.Registration) (communities.UserID, error)
	Found(ctx context.Context, by communities.UserID, p communities.CommunityPlan) (communities.CommunityID, error)
	Join(ctx context.Context, by communities.UserID, id communities.CommunityID) error
	Open(ctx context.Context, by communities.UserID, in communities.CommunityID, p communities.ChatPlan) (communities.ChatID, error)
	Enter(ctx context.Context, by communities.UserID, id communities.ChatID) error
	// Ask creates a request to join a private chat, which its owner may accept.
	Ask(ctx context.Context, by communities.UserID, id communities.ChatID, note string, owner communities.UserID, accepted bool) error
	Write(ctx context.Context, by communities.UserID, id communities.ChatID, content string) error
}

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

// size is the approximate number of people in a community.
const size = 20

// Fill adds people, and for each twenty of them a community with chats.
func Fill(ctx context.Context, a Areas, seed uint64, users int, password string, progress func(done, total int)) (r Result, err error) {
	random := fake.Source(seed, 1)
	for r.Users < users {
		at := fake.Pick(random, places)
		var some []person
		for range min(size, users-r.Users) {
			first, last := fake.Pick(random, fake.FirstNames), fake.Pick(random, fake.LastNames)
			r.Users++
			p := person{email: fmt.Sprintf("%s.%s.%d@town.example", first, last, r.Users)}
			bio := fake.Pick(random, bios)
			p.id, err = a.Register(ctx, communities.Registration{
				Username: fmt.Sprintf("%s_%s_%d", first, last, r.Users), Name: strings.ToUpper(first[:1]) + first[1:], Email: p.email,
				Password: password, Location: at, Bio: &bio,
			})
			if err != nil {
				return r, err
			}
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
func community(ctx context.Context, a Areas, random *rand.Rand, at communities.Location, people []person, r *Result) error {
	founder := people[0]
	topic := fake.Pick(random, communities.Topics)
	r.Communities++
	id, err := a.Found(ctx, founder.id, communities.CommunityPlan{
		Name: fmt.Sprintf("%s %s %d", at.City, titles[topic], r.Communities), Description: "People of " + at.City + " who listen to each other.",
		Topic: topic, Location: at,
	})
	if err != nil {
		return err
	}
	for _, p := range people[1:] {
		if err := a.Join(ctx, p.id, id); err != nil {
			return err
		}
	}
	open, err := a.Open(ctx, founder.id, id, communities.ChatPlan{Name: "Coffee", Description: "Whoever comes by is welcome."})
	if err != nil {
		return err
	}
	r.Chats++
	inside := people[:1]
	for _, p := range people[1:min(8, len(people))] {
		if err := a.Enter(ctx, p.id, open); err != nil {
			return err
		}
		inside = append(inside, p)
	}
	for range 3 + random.IntN(10) {
		if err := a.Write(ctx, fake.Pick(random, inside).id, open, fake.Pick(random, lines)); err != nil {
			return err
		}
		r.Messages++
	}
	if len(people) < 3 {
		return nil
	}
	owner := people[1]
	private, err := a.Open(
		ctx,
		owner.id,
		id,
		communities.ChatPlan{Name: "Tuesday group", Description: "A small circle. Say why you would like to come.", Closed: true},
	)
	if err != nil {
		return err
	}
	r.Chats++
	for i, p := range people[2:min(6, len(people))] {
		if err := a.Ask(ctx, p.id, private, fake.Pick(random, notes), owner.id, i%2 == 1); err != nil {
			return err
		}
	}
	r.Email = owner.email
	return nil
}
