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
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/telemetry"
	"stoa/internal/kit/viewer"
	"stoa/internal/ops"
	"stoa/internal/server"
)

// World is a system on an empty engine, with its own host. Its clock stands still, except
// that it advances by a second before each request. Requests may be sent concurrently; all
// other methods belong to the goroutine of the test.
type World struct {
	T    testing.TB
	Host *host.Host
	DB   *keyspec.DB
	// Schema is the system's schema.
	Schema graphql.ExecutableSchema
	// Client counts database calls and injects failures.
	Client *faultdb.Client
	// Meter measures what operations consume, in worlds of Metered.
	Meter  *Meter
	People People
	// AppStore is the store that verifies receipts.
	AppStore *appstoretest.Server
	// Pushes are the push notifications of users.
	Pushes  Pushes
	Handler http.Handler

	system   host.System
	options  []Option
	config   host.Config
	random   *random
	registry *prometheus.Registry
	log      *slog.Logger
	waits    bool // wait for all listeners, except in benchmarks
	restless atomic.Bool
	busy     atomic.Bool // a request is running: no background work meanwhile
	*passing

	mu        sync.Mutex
	drifts    []keyspec.Drift
	events    map[string]int
	tokens    map[string]string // of people with tokens other than their names
	listeners []*listener
	drained   int64 // the number of stored events when Settle has last delivered them
}

// passing is the state shared by all processes of a world.
type passing struct {
	clock atomic.Int64 // microseconds since Dawn
	ids   atomic.Int64
	// stored is the number of events and lanes stored, several set once there is another process.
	stored  atomic.Int64
	several atomic.Bool
}

// Dawn is the time at which worlds start.
var Dawn = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Prefix is the prefix of table names.
const Prefix = "test-"

// Option changes the defaults of a world.
type Option func(w *World, c *host.Config)

// WithIssuer adds the built-in identity in dev mode, with accounts for the world's people.
// Otherwise their accounts are outside the system. In both cases, their tokens are their
// names.
func WithIssuer(w *World, c *host.Config) {
	c.External = nil
	c.Issuer.Mode, c.Issuer.Region, c.Issuer.Cost = identity.Dev, "us-east-1", identity.Cost{MemoryKiB: 8, Passes: 1}
	w.People.accounts = ops.Open(w.DB).Identities
}

// Test creates a world of a system and passes it to f. Everything that f starts ends with
// it, and f must not start subtests.
func Test(t *testing.T, system host.System, f func(w *World), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(open(t, system, options)) })
}

// Another returns another world of the same system.
func (w *World) Another() *World {
	w.T.Helper()
	return open(w.T, w.system, w.options)
}

func open(t testing.TB, system host.System, options []Option) *World {
	t.Helper()
	w := empty(t, system, options)
	w.assemble(w.Client, prometheus.NewRegistry(), nil)
	return w
}

// empty returns a world without a host.
func empty(t testing.TB, system host.System, options []Option) *World {
	t.Helper()
	eng := enginetest.Memory(t)
	w := &World{
		T: t, system: system, options: options, waits: true, Client: faultdb.Wrap(eng), People: People{&people{}}, events: map[string]int{},
		tokens: map[string]string{},
		random: newRandom(), passing: new(passing),
	}
	w.Client.Watch(w.record)
	return w
}

// Bench returns a world for a benchmark: as in production, its calls are timed and its
// operations logged. It has no Client, and uses real time.
func Bench(b testing.TB, system host.System, options ...Option) *World {
	b.Helper()
	return BenchOn(b, enginetest.Memory(b), system, options...)
}

// BenchOn is Bench on the given engine, such as one on disk.
func BenchOn(b testing.TB, eng *engine.Engine, system host.System, options ...Option) *World {
	b.Helper()
	w := &World{
		T:       b,
		system:  system,
		options: options,
		People:  People{&people{}},
		events:  map[string]int{},
		tokens:  map[string]string{},
		random:  newRandom(),
		passing: new(passing),
	}
	registry := prometheus.NewRegistry()
	w.assemble(telemetry.Measure(eng, registry), registry, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	return w
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
		DB: w.DB, Holder: "test", Issuer: host.IssuerConfig{PublicURL: "https://stoa.example", AppURL: "https://app.example", AppName: "Example",
			Cost: identity.DefaultCost, Limits: &identity.Limits{}}, External: w.People, AppStore: w.AppStore.Verifier(), Push: &w.Pushes, Now: w.Now,
		NewID: w.NewID, Random: w.random,
		Log:      slog.New(slog.NewTextHandler(w.T.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Registry: registry,
	}
	for _, o := range w.options {
		o(w, &config)
	}
	w.config = config
	w.join()
}

// Beside returns another process on the same tables, with its own name. The two share their
// clock, ids and people, but not their bus.
func (w *World) Beside(holder string) *World {
	w.T.Helper()
	return w.Ahead(holder, 0)
}

// Ahead is Beside for a process whose clock is ahead of the others'.
func (w *World) Ahead(holder string, by time.Duration) *World {
	w.T.Helper()
	w.several.Store(true)
	other := &World{
		T: w.T, DB: w.DB, Client: w.Client, People: w.People, AppStore: w.AppStore, system: w.system, options: w.options, config: w.config,
		random: w.random, registry: prometheus.NewRegistry(), log: w.log, waits: w.waits, passing: w.passing, events: map[string]int{}, tokens: map[string]string{},
	}
	other.config.Holder, other.config.Registry = holder, other.registry
	other.config.Now = func() time.Time { return w.Now().Add(by) }
	other.config.Media = w.Host.Media.Files                                               // set since, in some tests
	other.config.Operators, other.config.Moderators = w.Host.Operators, w.Host.Moderators // likewise
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

// Serve returns a handler of a schema that replaces the system's.
func (w *World) Serve(schema graphql.ExecutableSchema) http.Handler {
	w.T.Helper()
	face := w.Host.Face(w.system.Name)
	registry := w.registry
	if w.Handler != nil {
		registry = nil // its metrics are already registered
	}
	systems := []server.System{
		{
			Name:             w.system.Name,
			Path:             "/graphql",
			Schema:           schema,
			Authenticator:    face.Authenticator,
			OperationContext: face.OperationContext,
			Scalars:          face.Scalars,
			Public:           face.Public,
			Prices:           face.Prices,
			BodyBytes:        face.BodyBytes,
		},
	}
	for _, j := range w.Host.Joined {
		if j.Name != w.system.Name { // the API of those who run the service
			systems = append(systems, server.System{
				Name: j.Name, Path: j.Path, Schema: j.Schema, OperationContext: j.OperationContext, Admit: j.Admit, Introspection: j.Introspection, Recheck: j.Recheck,
				Off: j.Off,
			})
		}
	}
	handler, err := server.New(server.Config{
		Systems:       systems,
		Authenticator: w.Host.Guard(w.People), Introspection: true, Keys: w.Host.Ops.Keys, Mounts: w.Host.Mounts(), Log: w.log, Registry: registry,
	})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Host.Desk.Recheck = handler.RecheckNow
	return handler
}

// Now returns the world's time.
func (w *World) Now() time.Time {
	now := w.clock.Load()
	if w.restless.Load() {
		now = w.clock.Add(1)
	}
	return Dawn.Add(time.Duration(now) * time.Microsecond)
}

// Advance advances the clock.
func (w *World) Advance(d time.Duration) { w.clock.Add(d.Microseconds()) }

// Restless makes the clock advance by a microsecond with each call of Now, so that no two
// concurrent actions have the same time.
func (w *World) Restless(yes bool) { w.restless.Store(yes) }

// NewID returns the next of the world's ids.
func (w *World) NewID() string {
	return fmt.Sprintf("00000000-0000-4000-9000-%012d", w.ids.Add(1))
}

// ID returns the id of the person with a name.
func (w *World) ID(name string) viewer.UserID { return w.People.Identity(name) }

// Settle completes all pending effects and waits until all listeners have received them.
func (w *World) Settle() {
	w.T.Helper()
	if w.busy.Load() {
		return
	}
	// Looking for events reads each shard, which would be much of what tests do.
	if stored := w.stored.Load(); stored != w.drained || w.several.Load() || w.Client == nil {
		if err := w.Host.Outbox.Drain(context.Background()); err != nil {
			w.T.Fatalf("settle: %v", err)
		}
		w.drained = stored
	}
	w.wait()
}

// wait waits until all goroutines are idle.
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

// Together runs f n times concurrently and waits for all calls.
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

// TakeDrifts returns the counters that have drifted since the last call. Drifts that are
// not taken fail the scenario.
func (w *World) TakeDrifts() []keyspec.Drift {
	w.mu.Lock()
	defer w.mu.Unlock()
	drifts := w.drifts
	w.drifts = nil
	return drifts
}
