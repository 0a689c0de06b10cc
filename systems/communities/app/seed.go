package app

import (
	"context"
	"fmt"
	"sync"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
	"stoa/systems/communities/account"
	"stoa/systems/communities/seed"
)

// seed adds generated communities. The store may contain others, but none with the same
// names.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	// Nobody is subscribed, and notifications of generated messages are not needed, so no
	// events are sent.
	frame := decision.Frame{Clock: h.Now, NewID: seed.IDs(s.Seed)}
	a, err := o.open(ctx, h, frame)
	if err != nil {
		return "", err
	}
	a.Accounts.Passwords = &oneHash{Passwords: a.Accounts.Passwords}
	r, err := seed.Fill(ctx, seeder{a}, s.Seed, s.Users, host.SeedPassword, s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the communities (%w): seed another store, or give another --seed", err)
	}
	return fmt.Sprintf(
		"%d users, %d communities, %d group chats and %d messages.\n\nSign in as any of them (mutation login), for example:\n   login     %s\n   password  %s\n",
		r.Users,
		r.Communities,
		r.Chats,
		r.Messages,
		r.Email,
		host.SeedPassword,
	), nil
}

// oneHash computes the hash of the password that all generated people share only once.
type oneHash struct {
	account.Passwords
	once sync.Once
	hash string
	err  error
}

func (p *oneHash) Hash(ctx context.Context, password string) (string, error) {
	p.once.Do(func() { p.hash, p.err = p.Passwords.Hash(ctx, password) })
	return p.hash, p.err
}

// seeder adds generated communities with the areas.
type seeder struct{ areas }

func as(id communities.UserID) viewer.Viewer { return viewer.Viewer{UserID: id} }

func (s seeder) Register(ctx context.Context, r communities.Registration) (communities.UserID, error) {
	in, err := s.Accounts.SignUp(ctx, viewer.Viewer{}, r)
	if err != nil {
		return "", err
	}
	return in.User.ID(), nil
}

func (s seeder) Found(ctx context.Context, by communities.UserID, p communities.CommunityPlan) (communities.CommunityID, error) {
	c, err := s.Communities.Create(ctx, as(by), p)
	if err != nil {
		return "", err
	}
	return c.ID(), nil
}

func (s seeder) Join(ctx context.Context, by communities.UserID, id communities.CommunityID) error {
	_, err := s.Communities.Join(ctx, as(by), id)
	return err
}

func (s seeder) Open(ctx context.Context, by communities.UserID, in communities.CommunityID, p communities.ChatPlan) (communities.ChatID, error) {
	c, err := s.Chats.Create(ctx, as(by), in, p)
	if err != nil {
		return "", err
	}
	return c.ID(), nil
}

func (s seeder) Enter(ctx context.Context, by communities.UserID, id communities.ChatID) error {
	_, err := s.Chats.Join(ctx, as(by), id)
	return err
}

func (s seeder) Ask(ctx context.Context, by communities.UserID, id communities.ChatID, note string, owner communities.UserID, accepted bool) error {
	r, err := s.Requests.Ask(ctx, as(by), id, &note)
	if err == nil && accepted {
		_, err = s.Requests.Accept(ctx, as(owner), r.ID())
	}
	return err
}

func (s seeder) Write(ctx context.Context, by communities.UserID, id communities.ChatID, content string) error {
	_, err := s.Messages.Send(ctx, as(by), communities.GroupRef(id), communities.Draft{Content: content})
	return err
}
