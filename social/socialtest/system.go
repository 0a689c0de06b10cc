package socialtest

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/social/app"
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

// System is the social system as it is served, but for the art of albums.
var System = app.System(app.Options{Art: undrawn{}})

// options give worlds accounts of the built-in identity, and logins elsewhere.
var options = []apptest.Option{apptest.WithIssuer, withLogins}

// Options are those of worlds of the social system.
func Options() []apptest.Option { return options }

// Run runs each scenario in a world of its own.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	apptest.Run(t, System, scenarios, options...)
}

// Test gives f a world in which something is given.
func Test(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, System, func(w *World) {
		w.Do(given...)
		f(w)
	}, options...)
}
