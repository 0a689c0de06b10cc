package socialtest

import (
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/host"
)

// Names of the harness, for tests that use them often.
type (
	Scenario = apptest.Scenario
	World    = apptest.World
	Counts   = apptest.Counts
	Events   = apptest.Events
	Hears    = apptest.Hears
	Calls    = apptest.Calls
)

// System is the social system as served, except for the art of albums.
var System = With(func(*app.Options) {})

// With returns System with other options.
func With(change func(o *app.Options)) host.System {
	o := app.Options{Art: undrawn{}}
	change(&o)
	return app.System(o)
}

// options add accounts of the built-in identity service, and identity providers.
var options = []apptest.Option{apptest.WithIssuer, withLogins}

// Options returns the options of worlds of the social system.
func Options() []apptest.Option { return options }

// Hub is the user whom everybody follows in worlds with staff.
const Hub = "hub"

// Staffed is System with a user whom everybody follows.
var Staffed = With(func(o *app.Options) { o.FollowedByAll = Hub })

// StaffOptions are Options with an operator, ozzy, and the moderators mod and hub. They have
// their roles by their addresses.
func StaffOptions() []apptest.Option {
	return append(options[:len(options):len(options)], func(_ *World, c *host.Config) {
		c.Operators, c.Moderators = []string{"OZZY@example.com"}, []string{"mod@example.com", Hub + "@example.com"}
	})
}

// RunStaffed is Run in worlds with staff.
func RunStaffed(t *testing.T, scenarios []Scenario) {
	t.Helper()
	apptest.Run(t, Staffed, scenarios, StaffOptions()...)
}

// TestStaffed is Test in a world with staff.
func TestStaffed(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, Staffed, func(w *World) {
		w.Do(given...)
		f(w)
	}, StaffOptions()...)
}

// Run runs each scenario in a world of its own.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	apptest.Run(t, System, scenarios, options...)
}

// Test calls f with a world in the given state.
func Test(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, System, func(w *World) {
		w.Do(given...)
		f(w)
	}, options...)
}
