// Package host runs the systems of a service: it gives them tables, identity, the outbox,
// the bus and jobs, and collects what each of them serves.
//
// A Host works on existing tables. It polls for events and runs jobs only while Run runs,
// or when its Outbox is drained.
package host

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/appstore"
	"stoa/internal/auth/provider"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/lease"
	"stoa/internal/media/blob"
	"stoa/internal/media/stock"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/internal/push"
)

const (
	// leaseFor is how long the events of a dead process wait for another process.
	leaseFor = 20 * time.Second
	// poll is how often a process looks for events of other processes and for jobs that are
	// due.
	poll = time.Second
	// wait is how long mutations wait for their effects.
	wait = 250 * time.Millisecond
)

// System is one of the systems of a service.
type System struct {
	// Name selects the system.
	Name string
	// Path is the path of its API; "" stands for "/{name}/graphql".
	Path string
	// Tables are the system's tables. Names that the design leaves open start
	// with the system's: "pantry-main".
	Tables []*keyspec.Table
	// Join opens the system on a host and registers the receivers of its events.
	Join func(ctx context.Context, h *Host) (Face, error)

	// Contract returns the API as SDL, Schema as a schema that cannot be executed.
	Contract func() string
	Schema   func() graphql.ExecutableSchema
	// Design prints the tables.
	Design func(w io.Writer) error
	// Seed fills the tables with an invented network and reports what there is now; nil if
	// not supported.
	Seed func(ctx context.Context, h *Host, o Seeding) (report string, err error)
	// RebuildSearch rebuilds the search indexes from what is stored, while they are in use,
	// and reports what is in them; nil if the system has none. It calls progress with the
	// number of documents indexed so far.
	RebuildSearch func(ctx context.Context, h *Host, progress func(index string, done int)) (report string, err error)
	// Load fills the tables with reference data from a file, such as a gazetteer, and
	// reports what came of it; nil if the system has none. It may be repeated, and passes
	// over what is there. It calls progress with the number of entries done so far.
	Load func(ctx context.Context, h *Host, file io.ReadSeeker, progress func(done int)) (report string, err error)
	// Check reads everything and reports how items contradict each other, beyond what keys
	// and counters say of them; nil where these say all. The rest of what is being cleaned
	// up may be reported without being wrong.
	Check func(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error)
}

// Seeding configures an invented network.
type Seeding struct {
	// Users is the number of users.
	Users int
	// Seed determines the network: the same number produces the same one.
	Seed uint64
	// Region is the prefix of user ids.
	Region string
	// Progress is called with the number of users done so far. It may be nil.
	Progress func(done, total int)
}

// MaxSeeded is the maximum number of invented users.
const MaxSeeded = 100_000

// SeedPassword is the password of all invented users.
const SeedPassword = "stoa-demo-2026"

// Endpoint returns the path of the system's API.
func (s System) Endpoint() string { return cmp.Or(s.Path, "/"+s.Name+"/graphql") }

// Tables returns the tables of the systems and of the host.
func Tables(systems ...System) []*keyspec.Table {
	var tables []*keyspec.Table
	for _, s := range systems {
		tables = append(tables, s.Tables...)
	}
	return append(tables, ops.Table)
}

// Broken is what Check reports of some systems, and what is broken of identity.
func Broken(ctx context.Context, db *keyspec.DB, now time.Time, systems ...System) ([]keyspec.Flaw, error) {
	flaws, err := ops.Broken(ctx, db)
	for _, s := range systems {
		if s.Check == nil || err != nil {
			continue
		}
		var more []keyspec.Flaw
		more, err = s.Check(ctx, db, now)
		flaws = append(flaws, more...)
	}
	return flaws, err
}

// Face is what a system serves.
type Face struct {
	Schema graphql.ExecutableSchema
	// Authenticator identifies the system's callers; nil stands for the Host's.
	Authenticator Authenticator
	// OperationContext adds values that live as long as an operation, such as loaders, to
	// its context, which already has the viewer. It may be nil.
	OperationContext func(ctx context.Context) context.Context
	// Scalars refuse values of custom scalars, by their names, before an operation is
	// executed. It may be nil.
	Scalars map[string]func(value any) error
	// Public reports whether a root field needs no credentials; nil means that all fields
	// do.
	Public func(object, field string) bool
	// Prices are what fields cost callers without an account beyond what any field does, by
	// their names: "Query.searchUsers".
	Prices map[string]int
	// BodyBytes bounds a request body where the system takes larger ones than others; 0 is
	// the server's own bound.
	BodyBytes int64
	// Mounts are additional handlers, by http.ServeMux pattern.
	Mounts map[string]http.Handler
	Jobs   []job.Job
	// Usernames looks up the usernames that users can sign in with; nil if there are none.
	Usernames identity.Usernames
}

// Config configures a Host. All fields are required unless noted otherwise.
type Config struct {
	// DB has the tables that Tables lists.
	DB *keyspec.DB
	// Holder identifies this process among those that use the tables concurrently. If there
	// can be only one process, a constant lets a restart take over leases at once.
	Holder string
	// Issuer configures the built-in identity, which is not used if External is set.
	Issuer IssuerConfig
	// External is an identity provider to use instead of the built-in one.
	External External
	// Operators are the user ids and e-mail addresses of the service's operators.
	Operators []string
	// Providers are the login providers.
	Providers provider.Providers
	// AppStore verifies receipts; nil if not configured.
	AppStore *appstore.Verifier
	// Push sends push notifications; nil if there are none.
	Push push.Sender
	// Media stores files; nil stores them in memory.
	Media blob.Store
	// PlaceholderPhotos are shown for users without a photo; nil means none.
	PlaceholderPhotos *stock.Photos
	// Bus delivers messages to subscribers; nil uses a bus within this process.
	Bus outbox.Bus
	// Wait is how long a mutation waits for its effects before the rest continues in the
	// background; 0 stands for 250 ms. Tests on busy machines wait longer.
	Wait time.Duration

	Now func() time.Time
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// Random is the source of secrets.
	Random io.Reader
	Log    *slog.Logger
	// Registry receives the metrics of the outbox.
	Registry prometheus.Registerer
}

// Host runs systems. Do not change its fields.
type Host struct {
	Config
	Ops *ops.Store
	// Sender creates and delivers events. Systems pass it to their areas.
	Sender outbox.Sender
	// Outbox is where receivers are registered.
	Outbox *outbox.Dispatcher
	// Authenticator identifies the caller from an Authorization header.
	Authenticator Authenticator
	// Accounts looks up the accounts that people sign in with.
	Accounts Accounts
	// Issuer is nil with an external identity provider.
	Issuer *identity.Issuer
	// keys sign all tokens of the service.
	keys *identity.Keyring
	Jobs *job.Runner
	// Media stores and processes the files of systems.
	Media *Media
	// Joined has the systems with what they serve.
	Joined []Joined
}

// Joined is a system on a host.
type Joined struct {
	Name, Path string
	Face
}

// New returns a Host with the systems joined to it. It creates the signing keys unless the
// store has some.
func New(ctx context.Context, c Config, systems ...System) (*Host, error) {
	if c.Bus == nil {
		c.Bus = &bus.Local{}
	}
	if c.Media == nil {
		c.Media = blob.NewMemory()
	}
	h := &Host{Config: c, Ops: ops.Open(c.DB)}
	leases := &lease.Keeper{Store: h.Ops.Leases, Holder: c.Holder, For: leaseFor, Now: c.Now}
	h.Outbox = outbox.New(outbox.Config{
		Store:   h.Ops.Outbox,
		Leases:  leases,
		Bus:     c.Bus,
		Now:     c.Now,
		Log:     c.Log,
		Metrics: newOutboxMetrics(c.Registry),
		Poll:    poll,
		Wait:    cmp.Or(c.Wait, wait),
	})
	h.Sender = outbox.Sender{Clock: c.Now, NewID: c.NewID, Dispatcher: h.Outbox}
	h.Jobs = &job.Runner{Store: h.Ops.Jobs, Leases: leases, Now: c.Now, Log: c.Log, Poll: poll}
	var err error
	if h.Media, err = h.openMedia(ctx); err != nil {
		return nil, err
	}
	names := &usernames{}
	if err := h.identify(ctx, names); err != nil {
		return nil, err
	}
	for _, s := range systems {
		face, err := s.Join(ctx, h)
		if err != nil {
			return nil, err
		}
		h.Joined = append(h.Joined, Joined{Name: s.Name, Path: s.Endpoint(), Face: face})
		h.Jobs.Jobs = slices.Concat(h.Jobs.Jobs, face.Jobs)
		if face.Usernames != nil {
			names.Usernames = face.Usernames
		}
	}
	return h, nil
}

// Face returns what the system serves.
func (h *Host) Face(system string) Face {
	for _, j := range h.Joined {
		if j.Name == system {
			return j.Face
		}
	}
	panic("host: no system " + system)
}

// Run delivers events and runs jobs until ctx ends.
func (h *Host) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { h.Outbox.Run(ctx) })
	all.Go(func() { h.Jobs.Run(ctx) })
	all.Wait()
}

// Mounts returns the handlers of identity and of all systems, by http.ServeMux pattern.
// With an external identity provider, those of identity are missing.
func (h *Host) Mounts() map[string]http.Handler {
	mounts := map[string]http.Handler{}
	if h.Issuer != nil {
		handler := h.Issuer.Handler()
		mounts["/auth/"], mounts["/.well-known/"] = handler, handler
		maps.Copy(mounts, h.Issuer.SideAPI())
	}
	for _, j := range h.Joined {
		maps.Copy(mounts, j.Mounts)
	}
	return mounts
}

// Ready returns an error if the store cannot be read or written, or if the bus is not
// connected.
func (h *Host) Ready(ctx context.Context) error {
	if b, ok := h.Bus.(interface{ Ready(context.Context) error }); ok {
		if err := b.Ready(ctx); err != nil {
			return err
		}
	}
	if _, err := h.Ops.Leases.Load(ctx, "ready"); err != nil {
		return err
	}
	return h.DB.Health()
}
