package apptest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/appstore/appstoretest"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/telemetry"
	"stoa/internal/kit/viewer"
	"stoa/internal/ops"
	"stoa/internal/server"
)

// World is a system on an empty engine, with a host of its own. Its clock stands still but for a second before
// each request. Requests may be made by several goroutines; the rest belongs to the one
// of the test.
type World struct {
	T    testing.TB
	Host *host.Host
	DB   *keyspec.DB
	// Schema is the system's.
	Schema graphql.ExecutableSchema
	// Client counts what is asked of the database and fails on request.
	Client *faultdb.Client
	People People
	// AppStore is where receipts are verified.
	AppStore *appstoretest.Server
	// Pushes are what users are told on their devices.
	Pushes  Pushes
	Handler http.Handler

	system   host.System
	options  []Option
	config   host.Config
	random   *random
	registry *prometheus.Registry
	log      *slog.Logger
	waits    bool // for everybody to have heard: not in benchmarks
	restless atomic.Bool
	busy     atomic.Bool // with a request: nothing is brought about beside it
	*passing

	mu        sync.Mutex
	drifts    []keyspec.Drift
	events    map[string]int
	tokens    map[string]string // of those who do not sign in by their names
	listeners []*listener
}

// passing is what goes on in the same way for all processes of a world.
type passing struct {
	clock atomic.Int64 // microseconds since Dawn
	ids   atomic.Int64
}

// Dawn is when worlds begin.
var Dawn = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Prefix is what the names of tables begin with.
const Prefix = "test-"

// Option makes a world other than by default.
type Option func(w *World, c *host.Config)

// WithIssuer gives a world the built-in identity in dev mode, and its people accounts there.
// Otherwise their accounts are kept outside of the system. Their tokens are their names all
// the same.
func WithIssuer(w *World, c *host.Config) {
	c.External = nil
	c.Issuer.Mode, c.Issuer.Region, c.Issuer.Cost = identity.Dev, "us-east-1", identity.Cost{MemoryKiB: 8, Passes: 1}
	w.People.accounts = ops.Open(w.DB).Identities
}

// Test makes a world of a system and gives it to f. Everything that f starts ends with
// it, and f must not start subtests.
func Test(t *testing.T, system host.System, f func(w *World), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(open(t, system, options)) })
}

// Another makes another world of the same system.
func (w *World) Another() *World {
	w.T.Helper()
	return open(w.T, w.system, w.options)
}

func open(t testing.TB, system host.System, options []Option) *World {
	t.Helper()
	eng := memory(t)
	w := &World{
		T: t, system: system, options: options, waits: true, Client: faultdb.Wrap(eng), People: People{&people{}}, events: map[string]int{}, tokens: map[string]string{},
		random: newRandom(), passing: new(passing),
	}
	w.Client.Watch(w.record)
	w.assemble(w.Client, prometheus.NewRegistry(), nil)
	return w
}

// Bench makes a world for a benchmark: its calls are timed and its operations logged as
// they are when serving. It has no Client, and time passes as it does.
func Bench(b *testing.B, system host.System) *World {
	b.Helper()
	w := &World{T: b, system: system, People: People{&people{}}, events: map[string]int{}, tokens: map[string]string{}, random: newRandom(), passing: new(passing)}
	registry := prometheus.NewRegistry()
	w.assemble(telemetry.Measure(memory(b), registry), registry, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	return w
}

func memory(t testing.TB) *engine.Engine {
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
	return eng
}

func (w *World) assemble(client dynamodbiface.DynamoDBAPI, registry *prometheus.Registry, log *slog.Logger) {
	w.T.Helper()
	w.registry, w.log = registry, log
	w.DB = keyspec.Open(dynamo.NewFromIface(client), Prefix, host.Tables(w.system)...)
	w.DB.OnDrift = w.drifted
	w.AppStore = appstoretest.InProcess(w.T)
	err := w.DB.CreateTables(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	config := host.Config{
		DB: w.DB, Holder: "test", Issuer: host.IssuerConfig{PublicURL: "https://stoa.example", AppURL: "https://real.app", AppName: "REAL"}, External: w.People, AppStore: w.AppStore.Verifier(), Push: &w.Pushes, Now: w.Now, NewID: w.NewID, Random: w.random,
		Log:      slog.New(slog.NewTextHandler(w.T.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Registry: registry,
	}
	for _, o := range w.options {
		o(w, &config)
	}
	w.config = config
	w.join()
}

// Beside is another process on the same tables, by a name of its own. The two share
// their clock, ids and people; what one hears the other does not.
func (w *World) Beside(holder string) *World {
	w.T.Helper()
	other := &World{
		T: w.T, DB: w.DB, Client: w.Client, People: w.People, AppStore: w.AppStore, system: w.system, options: w.options, config: w.config,
		random: w.random, registry: prometheus.NewRegistry(), log: w.log, waits: w.waits, passing: w.passing, events: map[string]int{}, tokens: map[string]string{},
	}
	other.config.Holder, other.config.Registry = holder, other.registry
	other.config.Media = w.Host.Media.Files
	other.join()
	return other
}

func (w *World) join() {
	w.T.Helper()
	var err error
	w.Host, err = host.New(w.T.Context(), w.config, w.system)
	if err != nil {
		w.T.Fatal(err)
	}
	w.Schema = w.Host.Face(w.system.Name).Schema
	w.Handler = w.Serve(w.Schema)
}

// Serve makes the handler of a schema in place of the system's.
func (w *World) Serve(schema graphql.ExecutableSchema) http.Handler {
	w.T.Helper()
	face := w.Host.Face(w.system.Name)
	registry := w.registry
	if w.Handler != nil {
		registry = nil // its metrics are registered
	}
	handler, err := server.New(server.Config{
		Systems:       []server.System{{Name: w.system.Name, Path: "/graphql", Schema: schema, Authenticator: face.Authenticator, OperationContext: face.OperationContext, Scalars: face.Scalars, Public: face.Public, BodyBytes: face.BodyBytes}},
		Authenticator: w.People, Introspection: true, Mounts: w.Host.Mounts(), Log: w.log, Registry: registry,
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return handler
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

// ID returns the id of the person with a name.
func (w *World) ID(name string) viewer.UserID { return w.People.Identity(name) }

// Settle brings about what changes cause and is not done yet, and waits until everybody
// has heard of it.
func (w *World) Settle() {
	w.T.Helper()
	if w.busy.Load() {
		return
	}
	if err := w.Host.Outbox.Drain(context.Background()); err != nil {
		w.T.Fatalf("settle: %v", err)
	}
	w.wait()
}

// wait returns when nobody has anything to do.
func (w *World) wait() {
	if w.waits {
		synctest.Wait()
	}
}

// RunJob runs a job.
func (w *World) RunJob(name string) {
	w.T.Helper()
	if err := w.Host.Jobs.RunNow(context.Background(), name); err != nil {
		w.T.Fatalf("job %s: %v", name, err)
	}
}

// Together runs f n times concurrently and returns when all have returned.
func (w *World) Together(times int, f func(i int)) {
	var all sync.WaitGroup
	for i := range times {
		all.Go(func() { f(i) })
	}
	all.Wait()
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
