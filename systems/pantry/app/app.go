// Package app assembles the areas of pantry with its store and its API, and connects the
// system to a host.
package app

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/area"
	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
	"stoa/systems/pantry/graph"
	"stoa/systems/pantry/household"
	"stoa/systems/pantry/invite"
	"stoa/systems/pantry/kitchen"
	"stoa/systems/pantry/resolvers"
	"stoa/systems/pantry/store"
)

// Name is the name of the system.
const Name = "pantry"

// Options configures the system. The zero value is for serving.
type Options struct {
	// UserName is the name of users who give none.
	UserName string
	// Gather is how long a field of an operation waits for others, to batch their reads; 0
	// means batch.Wait.
	Gather time.Duration
}

// System returns the pantry system.
func System(o Options) host.System {
	return host.System{
		Name: Name, Tables: []*keyspec.Table{store.Pantry}, Join: o.join,
		Contract: func() string { return pantry.Contract }, Schema: func() graphql.ExecutableSchema { return graph.Executable(nil) },
		Design: store.WriteSchema, Seed: o.seed, Check: store.Broken,
	}
}

// open returns the areas, which use the events, clock and ids of frame.
func (o Options) open(h *host.Host, frame decision.Frame) *resolvers.Resolver {
	s := store.Open(h.DB)
	frame.Precision = time.Millisecond
	return &resolvers.Resolver{
		Household: &household.Service{
			Users: s.Users, Groups: s.Groups, Containers: s.Containers, Accounts: h.Accounts, Frame: frame,
			Name: cmp.Or(o.UserName, pantry.DefaultUserName),
		},
		Kitchen: &kitchen.Service{
			Store: s.Containers, Users: s.Users, Categories: s.Categories, Operators: h, Bus: h.Bus, Frame: frame,
		},
		Invite: &invite.Service{Store: s.Links, Operators: h, Frame: frame, Random: h.Random},
		Gather: o.Gather,
	}
}

func (o Options) join(_ context.Context, h *host.Host) (host.Face, error) {
	r := o.open(h, h.Frame)
	registered := area.Register(h.Outbox, r.Household, r.Kitchen, r.Invite)
	return host.Face{Schema: graph.Executable(r), OperationContext: r.WithLoaders, Prices: registered.Prices, Jobs: registered.Jobs,
		People: persons{store.Open(h.DB), r.Household}}, nil
}
