// Package host carries the systems of one service: it gives them tables, identity, the
// outbox, the bus and jobs, and takes from each what to serve.
//
// A Host works on tables that exist. It looks for events and runs jobs only while Run
// runs, or when its Outbox is drained.
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
	// leaseFor is how long the events of a process that died wait for another one.
	leaseFor = 20 * time.Second
	// poll is how often a process looks for events that nobody told it of, and for jobs
	// that are due.
	poll = time.Second
	// wait is how long mutations wait for what they cause.
	wait = 250 * time.Millisecond
)

// System is one of the systems that a service can consist of.
type System struct {
	// Name is how the system is chosen.
	Name string
	// Path is where its API answers; "" stands for "/{name}/graphql".
	Path string
	// Tables are its own. The names of all but the social system's begin with its name:
	// "pantry-main".
	Tables []*keyspec.Table
	// Join opens the system on a host and registers the receivers of its events there.
	Join func(ctx context.Context, h *Host) (Face, error)

	// Contract is the text of its API, and Schema that API with nobody to answer it.
	Contract func() string
	Schema   func() graphql.ExecutableSchema
	// Design prints its tables.
	Design func(w io.Writer) error
	// Seed fills its tables with invented people and what they have made, and reports
	// what there is now; nil where nothing can be invented.
	Seed func(ctx context.Context, h *Host, o Seeding) (report string, err error)
	// RebuildSearch makes the indexes that are searched of what is stored, while they are
	// in use, and reports what is in them; nil where nothing is searched. Progress is told
	// how many things an index holds so far.
	RebuildSearch func(ctx context.Context, h *Host, progress func(index string, done int)) (report string, err error)
	// Check reads everything and reports how items contradict each other, beyond what keys
	// and counters say of them; nil where these say all. The rest of what is being cleaned
	// up may be reported without being wrong.
	Check func(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error)
}

// Seeding says what to invent.
type Seeding struct {
	// Users is how many people there are.
	Users int
	// Seed stands for what is invented: the same number gives the same.
	Seed uint64
	// Region is what user ids begin with.
	Region string
	// Progress is told how many people of how many are done. It may be nil.
	Progress func(done, total int)
}

// MaxSeeded is how many people are invented at most.
const MaxSeeded = 100_000

// SeedPassword is that of everybody who was invented.
const SeedPassword = "stoa-demo-2026"

// Endpoint is where the API of s answers.
func (s System) Endpoint() string { return cmp.Or(s.Path, "/"+s.Name+"/graphql") }

// Tables are those of some systems and of the host.
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

// Face is what of a system is served.
type Face struct {
	Schema graphql.ExecutableSchema
	// Authenticator names the system's callers; nil stands for that of the Host.
	Authenticator Authenticator
	// OperationContext gives an operation, whose viewer is in ctx, what lives as long as
	// it, such as loaders. It may be nil.
	OperationContext func(ctx context.Context) context.Context
	// Scalars refuse values of custom scalars, by their names, before an operation is
	// executed. It may be nil.
	Scalars map[string]func(value any) error
	// Public reports whether a root field may be asked for without credentials; nil
	// demands them of everybody.
	Public func(object, field string) bool
	// Mounts are further handlers, by pattern of http.ServeMux.
	Mounts map[string]http.Handler
	Jobs   []job.Job
	// Usernames are names that people may sign in with; nil where there are none.
	Usernames identity.Usernames
}

// Config is what a Host is made of. All fields are needed unless they say otherwise.
type Config struct {
	// DB holds what Tables lists.
	DB *keyspec.DB
	// Holder names this process among all that work on the tables at the same time.
	// Where there can be one only, a constant lets a restart go on at once.
	Holder string
	// Issuer is the built-in identity. With External it is not used.
	Issuer IssuerConfig
	// External vouches for users in place of the built-in identity, if set.
	External External
	// Operators are user ids and e-mail addresses of those who operate the service.
	Operators []string
	// ReservedUsernames are names that no user may take.
	ReservedUsernames []string
	// BadWords reads the words that make moderation remove what contains them, which may be
	// others each time; nil, or nil words, stand for a list that comes with the system.
	BadWords func() ([]string, error)
	// Kilometers: distances between users are in kilometers rather than miles.
	Kilometers bool
	// Providers are who else people may sign in with.
	Providers provider.Providers
	// ChatCapacity is how many members a group chat has at most; 0 stands for 10.
	ChatCapacity int
	// AppStore verifies receipts; nil where nobody buys anything.
	AppStore *appstore.Verifier
	// Push notifies devices; nil where nobody is notified.
	Push push.Sender
	// PushTo are the usernames of those who are notified; nil is everybody.
	PushTo []string
	// Media keeps files; nil keeps them in memory.
	Media blob.Store
	// PlaceholderPhotos are shown of users without a photo; nil is none.
	PlaceholderPhotos *stock.Photos
	// ImageVerification is the address of a service that judges images, empty for none, and
	// ImageVerificationKey what it knows this one by.
	ImageVerification, ImageVerificationKey string
	// Bus carries messages to subscribers; nil is one within this process.
	Bus outbox.Bus
	// Wait is how long a mutation waits for what it causes, before the rest goes on
	// behind its answer; 0 stands for 250 ms. Tests on busy machines wait longer.
	Wait time.Duration

	Now func() time.Time
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// Random is a source of secrets.
	Random io.Reader
	Log    *slog.Logger
	// Registry collects metrics of the outbox.
	Registry prometheus.Registerer
}

// Host carries systems. Its fields are not to be changed.
type Host struct {
	Config
	Ops *ops.Store
	// Sender makes and delivers records of events. Systems hand it to their areas.
	Sender outbox.Sender
	// Outbox is where receivers are registered.
	Outbox *outbox.Dispatcher
	// Authenticator names the caller behind an Authorization header.
	Authenticator Authenticator
	// Accounts knows the accounts that people sign in with.
	Accounts Accounts
	// Issuer is nil when somebody else vouches for users.
	Issuer *identity.Issuer
	// keys sign all tokens of the service.
	keys *identity.Keyring
	Jobs *job.Runner
	// Media is what systems keep and make files with.
	Media *Media
	// Joined are the systems with what of them is served.
	Joined []Joined
}

// Joined is a system on a host.
type Joined struct {
	Name, Path string
	Face
}

// New makes a Host and joins systems to it. It makes the keys that identity signs with,
// unless the store holds some.
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

// Face returns what of a joined system is served.
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

// Mounts are the handlers of identity and of all systems, by pattern of http.ServeMux.
// Those of identity are missing when somebody else vouches for users.
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

// Ready reports why the store cannot be read or written right now, or the bus not be heard.
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
