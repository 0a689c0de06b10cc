// Package app joins the areas of pantry, its store and its API, and joins the system to a
// host.
package app

import (
	"cmp"
	"context"
	"time"

	"stoa/internal/host"
	"stoa/internal/job"
	"stoa/internal/kit/keyspec"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
	"stoa/systems/pantry/graph"
	"stoa/systems/pantry/household"
	"stoa/systems/pantry/invite"
	"stoa/systems/pantry/kitchen"
	"stoa/systems/pantry/resolvers"
	"stoa/systems/pantry/store"
)

// Name is that of the system.
const Name = "pantry"

// PurgeLinks is the job that removes join links which expired a while ago.
const PurgeLinks = Name + ".purge-join-links"

// Options can be chosen; the zero value is for serving.
type Options struct {
	// UserName is what users are called who give no name.
	UserName string
	// Gather is how long a field of an operation waits for others, to read with them; 0
	// stands for batch.Wait.
	Gather time.Duration
}

// System is the pantry system.
func System(o Options) host.System {
	return host.System{Name: Name, Tables: []*keyspec.Table{store.Pantry}, Join: o.join}
}

func (o Options) join(_ context.Context, h *host.Host) (host.Face, error) {
	s := store.Open(h.DB)
	households := &household.Service{
		Users: s.Users, Groups: s.Groups, Containers: s.Containers, Accounts: h.Accounts, Events: h.Sender,
		Name: cmp.Or(o.UserName, pantry.DefaultUserName),
	}
	kitchens := &kitchen.Service{
		Store: s.Containers, Users: s.Users, Categories: s.Categories, Operators: h, Bus: h.Bus, Events: h.Sender,
	}
	invites := &invite.Service{Store: s.Links, Operators: h, Now: h.Now, Random: h.Random}

	outbox.On(h.Outbox, households.UserDeleted)
	outbox.FanOut(h.Outbox, "clean", households.CleanGroup)
	outbox.On(h.Outbox, kitchens.GroupChanged)
	outbox.On(h.Outbox, kitchens.MemberLeft)

	r := &resolvers.Resolver{Household: households, Kitchen: kitchens, Invite: invites, Gather: o.Gather}
	purge := func(ctx context.Context, _ time.Time) error {
		_, err := invites.Sweep(ctx)
		return err
	}
	return host.Face{
		Schema:           graph.Executable(r),
		OperationContext: r.WithLoaders,
		Jobs:             []job.Job{{Name: PurgeLinks, Every: time.Hour, Run: purge}},
	}, nil
}
