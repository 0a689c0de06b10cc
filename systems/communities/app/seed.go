package app

import (
	"context"
	"fmt"
	"sync"

	"stoa/internal/decision"
	"stoa/internal/host"
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
	r, err := seed.Fill(ctx, a.Resolver, s.Seed, s.Users, host.SeedPassword, s.Progress)
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
