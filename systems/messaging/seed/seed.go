// Package seed invents people with chats, groups and messages.
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
	"stoa/systems/messaging"
	"stoa/systems/messaging/resolvers"
)

// Result describes what was added.
type Result struct {
	Users, Groups, Chats, Messages int
	// Login is the login of a user with unread messages.
	Login string
}

func as(id messaging.UserID) viewer.Viewer { return viewer.Viewer{UserID: id} }

// circle is the number of people in a group.
const circle = 12

// Fill adds people, and for each dozen of them a group and some chats.
func Fill(ctx context.Context, a *resolvers.Resolver, seed uint64, users int, password string, progress func(done, total int)) (r Result, err error) {
	random := fake.Source(seed, 1)
	for r.Users < users {
		var some []messaging.UserID
		for range min(circle, users-r.Users) {
			id, err := person(ctx, a, random, &r, password)
			if err != nil {
				return r, err
			}
			some = append(some, id)
		}
		if err := group(ctx, a, random, some, &r); err != nil {
			return r, err
		}
		for i := 1; i < len(some); i += 2 {
			if err := chat(ctx, a, random, some[i-1], some[i], &r); err != nil {
				return r, err
			}
		}
		if progress != nil {
			progress(r.Users, users)
		}
	}
	return r, nil
}

func person(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, r *Result, password string) (messaging.UserID, error) {
	first, last := fake.Pick(random, fake.FirstNames), fake.Pick(random, fake.LastNames)
	r.Users++
	login := fmt.Sprintf("%s.%s.%d", first, last, r.Users)
	public, err := messaging.JSONOf(map[string]any{"fn": strings.ToUpper(first[:1]) + first[1:]})
	if err != nil {
		return "", err
	}
	r.Login = login
	in, err := a.Accounts.Create(ctx, viewer.Viewer{}, messaging.Registration{
		Login: login, Password: password, Public: public,
		Tags: []string{fmt.Sprintf("email:%s@town.example", login), fmt.Sprintf("%s%d", fake.Pick(random, hobbies), r.Users)},
	})
	if err != nil {
		return "", err
	}
	return in.User.UserID(), nil
}

// group adds a group of people, some of whom have not read everything.
func group(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, people []messaging.UserID, r *Result) error {
	r.Groups++
	public, err := messaging.JSONOf(map[string]any{"fn": fmt.Sprintf("%s %d", fake.Pick(random, titles), r.Groups)})
	if err != nil {
		return err
	}
	t, err := a.Topics.CreateGroup(ctx, as(people[0]), messaging.GroupPlan{Public: public})
	if err != nil {
		return err
	}
	for _, id := range people[1:] {
		if _, err := a.Topics.Subscribe(ctx, as(id), string(t.Ref()), nil, ""); err != nil {
			return err
		}
	}
	n := 5 + random.IntN(20)
	for range n {
		if err := publish(ctx, a, random, fake.Pick(random, people), t.Ref()); err != nil {
			return err
		}
	}
	r.Messages += n
	for _, id := range people[:len(people)/2] {
		upto := 1 + random.IntN(n)
		if _, err := a.Messages.Note(ctx, as(id), string(t.Ref()), messaging.NoteRead, &upto); err != nil {
			return err
		}
	}
	return nil
}

// chat adds a two-person topic whose second user has not read the last message.
func chat(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, one, other messaging.UserID, r *Result) error {
	t, err := a.Topics.StartChat(ctx, as(one), messaging.PublicID(other), messaging.ChatPlan{})
	if err != nil {
		return err
	}
	r.Chats++
	for range 2 + random.IntN(6) {
		r.Messages += 2
		for _, id := range []messaging.UserID{other, one} {
			if err := publish(ctx, a, random, id, t.Ref()); err != nil {
				return err
			}
		}
	}
	return nil
}

func publish(ctx context.Context, a *resolvers.Resolver, random *rand.Rand, by messaging.UserID, t messaging.TopicID) error {
	content, err := messaging.JSONOf(fake.Pick(random, lines))
	if err != nil {
		return err
	}
	_, err = a.Messages.Publish(ctx, as(by), string(t), messaging.Draft{Content: content})
	return err
}
