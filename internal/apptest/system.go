package apptest

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/guregu/dynamo/v2"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/server"
)

// Env is what a system is assembled from in tests.
type Env struct {
	// Client is an empty database in memory. Tables get names with Prefix in front.
	Client *faultdb.Client
	// People vouch for users.
	People People
	Now    func() time.Time
	NewID  func() string
	// Random is a source of secrets, the same ones in each world.
	Random   io.Reader
	Log      *slog.Logger
	Registry *prometheus.Registry
	// OnDrift is to be told of counters that drift.
	OnDrift func(context.Context, keyspec.Drift)
}

// Prefix is what the names of tables begin with.
const Prefix = "test-"

// System is an assembled system.
type System struct {
	Schema           graphql.ExecutableSchema
	OperationContext func(context.Context) context.Context
	// Settle brings about what committed changes cause and is not done yet.
	Settle func(context.Context) error
	// Verify reports what contradicts the declarations of rows and counters.
	Verify func(context.Context, func(keyspec.Finding)) error
	// Jobs are run by name.
	Jobs map[string]func(context.Context) error
	// Limits are those of the server where they are set.
	Limits server.Limits
}

// Assembly makes a system whose tables exist.
type Assembly func(context.Context, Env) (System, error)

// Host is the assembly of a system on a host of its own.
func Host(s host.System) Assembly {
	return func(ctx context.Context, env Env) (System, error) {
		db := keyspec.Open(dynamo.NewFromIface(env.Client), Prefix, host.Tables(s)...)
		db.OnDrift = env.OnDrift
		if err := db.CreateTables(ctx); err != nil {
			return System{}, err
		}
		h, err := host.New(ctx, host.Config{
			DB: db, Holder: "test", External: env.People, Now: env.Now, NewID: env.NewID,
			Random: env.Random, Log: env.Log, Registry: env.Registry,
		}, s)
		if err != nil {
			return System{}, err
		}
		jobs := map[string]func(context.Context) error{}
		for _, j := range h.Jobs.Jobs {
			jobs[j.Name] = func(ctx context.Context) error { return h.Jobs.RunNow(ctx, j.Name) }
		}
		face := h.Face(s.Name)
		return System{
			Schema: face.Schema, OperationContext: face.OperationContext,
			Settle: h.Outbox.Drain, Verify: db.Verify, Jobs: jobs,
		}, nil
	}
}
