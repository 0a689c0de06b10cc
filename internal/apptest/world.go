package apptest

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
	"stoa/internal/server"
)

// World is a system on an empty engine. Its clock stands still but for a second before
// each request. Requests may be made by several goroutines; the rest belongs to the one
// of the test.
type World struct {
	T      *testing.T
	System System
	// Client counts what is asked of the database and fails on request.
	Client  *faultdb.Client
	People  People
	Handler http.Handler

	clock    atomic.Int64 // microseconds since Dawn
	restless atomic.Bool
	ids      atomic.Int64

	mu        sync.Mutex
	drifts    []keyspec.Drift
	events    map[string]int
	listeners []*listener
}

// Dawn is when worlds begin.
var Dawn = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Test makes a world and gives it to f. Everything that f starts ends with it, and f must
// not start subtests.
func Test(t *testing.T, assemble Assembly, f func(w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(open(t, assemble)) })
}

func open(t *testing.T, assemble Assembly) *World {
	t.Helper()
	eng, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := eng.Close(); err != nil {
			t.Errorf("close engine: %v", err)
		}
	})
	w := &World{T: t, Client: faultdb.Wrap(eng), People: People{&people{}}, events: map[string]int{}}
	w.Client.Watch(w.record)
	registry := prometheus.NewRegistry()
	w.System, err = assemble(t.Context(), Env{
		Client: w.Client, People: w.People, Now: w.Now, NewID: w.NewID, Random: rand.NewChaCha8([32]byte{}),
		Log:      slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Registry: registry, OnDrift: w.drifted,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Handler, err = server.New(server.Config{
		Systems:       []server.System{{Name: "test", Path: "/graphql", Schema: w.System.Schema, OperationContext: w.System.OperationContext}},
		Authenticator: w.People, Introspection: true,
		Limits: w.System.Limits, Registry: registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Now is the world's clock.
func (w *World) Now() time.Time {
	now := w.clock.Load()
	if w.restless.Load() {
		now = w.clock.Add(1)
	}
	return Dawn.Add(time.Duration(now) * time.Microsecond)
}

// Advance turns the clock.
func (w *World) Advance(d time.Duration) { w.clock.Add(d.Microseconds()) }

// Restless makes the clock move by a microsecond with each look, so that no two things
// that happen side by side happen at once.
func (w *World) Restless(yes bool) { w.restless.Store(yes) }

// NewID returns the next of the world's ids.
func (w *World) NewID() string {
	return fmt.Sprintf("00000000-0000-4000-9000-%012d", w.ids.Add(1))
}

// ID is the id of whoever has a name.
func (w *World) ID(name string) viewer.UserID { return w.People.Identity(name) }

// Settle brings about what changes cause, and waits until everybody has heard of it.
func (w *World) Settle() {
	w.T.Helper()
	if err := w.System.Settle(context.Background()); err != nil {
		w.T.Fatalf("settle: %v", err)
	}
	synctest.Wait()
}

// RunJob runs a job.
func (w *World) RunJob(job string) {
	w.T.Helper()
	run, ok := w.System.Jobs[job]
	if !ok {
		w.T.Fatalf("there is no job %q", job)
	}
	if err := run(context.Background()); err != nil {
		w.T.Fatalf("job %s: %v", job, err)
	}
}

func (w *World) drifted(_ context.Context, d keyspec.Drift) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drifts = append(w.drifts, d)
}

// TakeDrifts returns the counters that have drifted since it was called last. A world
// whose drifts nobody takes fails its scenario.
func (w *World) TakeDrifts() []keyspec.Drift {
	w.mu.Lock()
	defer w.mu.Unlock()
	drifts := w.drifts
	w.drifts = nil
	return drifts
}
