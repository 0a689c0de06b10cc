package app

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/fake"
	"stoa/systems/messaging/account"
	"stoa/systems/messaging/seed"
)

// seed adds generated people and messages. The store may contain others, but none with the
// same logins.
func (o Options) seed(ctx context.Context, h *host.Host, s host.Seeding) (string, error) {
	// Nobody is subscribed, so no events are sent.
	frame := decision.Frame{Clock: h.Now, NewID: fake.IDs(fake.Source(s.Seed, 2))}
	a, err := o.open(ctx, h, frame)
	if err != nil {
		return "", err
	}
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], s.Seed)
	ids := rand.NewChaCha8(key)
	a.Accounts.Random, a.Topics.Random = ids, ids
	a.Accounts.Passwords = &oneHash{Passwords: a.Accounts.Passwords}
	r, err := seed.Fill(ctx, a.Resolver, s.Seed, s.Users, host.SeedPassword, s.Progress)
	if err != nil {
		return "", fmt.Errorf("the store now holds a part of the messages (%w): seed another store, or give another --seed", err)
	}
	return fmt.Sprintf(
		"%d users, %d groups, %d two-person topics and %d messages.\n\nSign in as any of them (mutation login), for example:\n   login     %s\n   password  %s\n",
		r.Users,
		r.Groups,
		r.Chats,
		r.Messages,
		r.Login,
		host.SeedPassword,
	), nil
}

// oneHash computes the hash of the password that all generated people share only once.
type oneHash struct {
	account.Passwords
	once sync.Once
	hash []byte
	err  error
}

func (p *oneHash) Hash(ctx context.Context, password string) ([]byte, error) {
	p.once.Do(func() { p.hash, p.err = p.Passwords.Hash(ctx, password) })
	return p.hash, p.err
}
