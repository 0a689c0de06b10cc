package app_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/systems/archive/app"
	"stoa/systems/archive/store"
)

// world is the archive as it is served, on an empty engine. Its operator is oz, and its
// worker elsewhere is hand.
type world struct{ *apptest.World }

func with(t *testing.T, o app.Options, f func(w *world)) {
	t.Helper()
	t.Parallel()
	apptest.Test(t, app.System(o), func(w *apptest.World) { f(&world{w}) }, people)
}

func people(_ *apptest.World, c *host.Config) {
	c.Operators, c.ArchiveWorkers = []string{"OZ@example.com"}, []string{"hand@example.com"}
}

// test runs f in a world whose work is done by itself.
func test(t *testing.T, f func(w *world)) {
	t.Helper()
	with(t, app.Options{}, f)
}

// elsewhere runs f in a world whose work is reported by hand.
func elsewhere(t *testing.T, f func(w *world)) {
	t.Helper()
	with(t, app.Options{WorkElsewhere: true}, f)
}
