package socialtest

import (
	"context"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/app"
	"stoa/internal/apptest"
	"stoa/store"
)

// The harness, for tests that name it often.
type (
	Scenario = apptest.Scenario
	World    = apptest.World
	Counts   = apptest.Counts
	Events   = apptest.Events
	Hears    = apptest.Hears
	Calls    = apptest.Calls
)

// Run runs each scenario in a world of its own.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	apptest.Run(t, System(), scenarios)
}

// Test gives f a world in which something is given.
func Test(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, System(), func(w *World) {
		w.Do(given...)
		f(w)
	})
}

// System is the social system as it is served. Options change how it is assembled.
func System(options ...func(*app.Config)) apptest.Assembly {
	return func(ctx context.Context, env apptest.Env) (apptest.System, error) {
		s := store.Open(dynamo.NewFromIface(env.Client), apptest.Prefix)
		s.OnDrift(env.OnDrift)
		if err := s.CreateTables(ctx); err != nil {
			return apptest.System{}, err
		}
		config := app.Config{
			Store: s, Holder: "test", External: env.People, Now: env.Now, NewID: env.NewID,
			Random: env.Random, Log: env.Log, Registry: env.Registry,
		}
		for _, change := range options {
			change(&config)
		}
		a, err := app.New(ctx, config)
		if err != nil {
			return apptest.System{}, err
		}
		return apptest.System{Schema: a.Schema, OperationContext: a.OperationContext, Settle: a.Outbox.Drain, Verify: s.Verify}, nil
	}
}
