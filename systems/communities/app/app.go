// Package app assembles the areas of communities with its store and its API, and connects
// the system to a host.
package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/area"
	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/systems/communities"
	"stoa/systems/communities/account"
	"stoa/systems/communities/chat"
	"stoa/systems/communities/community"
	"stoa/systems/communities/graph"
	"stoa/systems/communities/message"
	"stoa/systems/communities/notice"
	"stoa/systems/communities/request"
	"stoa/systems/communities/resolvers"
	"stoa/systems/communities/store"
)

// Name is the name of the system, and the audience of its tokens.
const Name = "communities"

// refreshLife is the lifetime of a refresh token, unless it is used earlier.
const refreshLife = 7 * 24 * time.Hour

// Options configures the system. The zero value is for serving.
type Options struct {
	// Capacity is the maximum capacity of a group chat; 0 means
	// communities.DefaultCapacity.
	Capacity int
	// Gather is how long a field of an operation waits for others, to batch their reads; 0
	// means batch.Wait.
	Gather time.Duration
}

// System returns the communities system.
func System(o Options) host.System {
	return host.System{
		Name: Name, Tables: store.Tables, Join: o.join,
		Contract: func() string { return communities.Contract }, Schema: func() graphql.ExecutableSchema { return graph.Executable(nil) },
		Design: store.WriteSchema, Seed: o.seed, Check: store.Broken,
	}
}

// areas are the areas of the system.
type areas struct {
	*resolvers.Resolver
	realm host.Realm
}

// open returns the areas, which use the events, clock and ids of frame.
func (o Options) open(ctx context.Context, h *host.Host, frame decision.Frame) (areas, error) {
	s := store.Open(h.DB, administers(h))
	frame.Precision = time.Millisecond
	r := &resolvers.Resolver{
		Accounts:    &account.Service{Store: s.People, Frame: frame, Log: h.Log},
		Communities: &community.Service{Store: s.Communities, Frame: frame},
		Chats:       &chat.Service{Store: s.Chats, Pointers: s.Communities, Frame: frame, Capacity: cmp.Or(o.Capacity, communities.DefaultCapacity)},
		Messages:    &message.Service{Store: s.Messages, Members: s.Chats, Cases: h.Ops.Operators, Checker: h.Checker(), Bus: h.Bus, Frame: frame},
		Requests:    &request.Service{Store: s.Requests, Bus: h.Bus, Frame: frame},
		Notices:     &notice.Service{Store: s.Notices, Members: s.Chats, People: s.People, Bus: h.Bus, Frame: frame},
		Gather:      o.Gather,
	}
	realm, err := h.Realm(ctx, Name, refreshLife, r.Accounts)
	if err != nil {
		return areas{}, err
	}
	r.Accounts.Tokens, r.Accounts.Passwords, r.Accounts.Attempts, r.Accounts.HashPrice = tokens{realm}, realm.Passwords, realm.Attempts, realm.HashPrice
	return areas{r, realm}, nil
}

// administers returns a function that reports whether a user operates the service, as
// identified by id, or by address if addresses are verified.
func administers(h *host.Host) func(*communities.User) bool {
	return func(u *communities.User) bool {
		return slices.ContainsFunc(h.Named().Operators, func(o string) bool {
			return o == string(u.ID) || h.TrustsAddresses() && communities.Fold(o) == communities.Fold(u.Email)
		})
	}
}

// tokens adapts a realm to the account area.
type tokens struct{ host.Realm }

func (t tokens) Begin(ctx context.Context, id communities.UserID, version int) (communities.Session, error) {
	s, err := t.Sessions.Begin(ctx, id, version)
	return communities.Session(s), err
}

func (t tokens) Continue(ctx context.Context, token string, vouch func(context.Context, communities.UserID) (int, bool, error)) (communities.Session, error) {
	s, err := t.Sessions.Continue(ctx, token, vouch)
	return communities.Session(s), err
}

func (t tokens) Forget(id communities.UserID) { t.Tokens.Forget(id) }

func (o Options) join(ctx context.Context, h *host.Host) (host.Face, error) {
	a, err := o.open(ctx, h, h.Frame)
	if err != nil {
		return host.Face{}, err
	}
	registered := area.Register(h.Outbox, a.Accounts, a.Communities, a.Chats, a.Messages, a.Requests, a.Notices)
	return host.Face{
		Schema: graph.Executable(a.Resolver), Authenticator: a.realm.Tokens, OperationContext: a.WithLoaders,
		Public: registered.Public, Prices: registered.Prices, Jobs: registered.Jobs, Content: content{a.Messages},
		People: newPersons(a, store.Open(h.DB, administers(h))),
	}, nil
}
