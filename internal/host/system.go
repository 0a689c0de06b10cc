package host

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/keyspec"
	"stoa/internal/operator"
	"stoa/internal/ops"
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

	// Contract returns the API as SDL, and Schema as a schema that cannot be executed.
	Contract func() string
	Schema   func() graphql.ExecutableSchema
	// Design prints the tables.
	Design func(w io.Writer) error
	// Seed fills the tables with a generated network and returns a summary; nil if not
	// supported.
	Seed func(ctx context.Context, h *Host, o Seeding) (report string, err error)
	// RebuildSearch rebuilds the search indexes from what is stored, while they are in use,
	// and returns a summary; nil if the system has none. It calls progress with the
	// number of documents indexed so far.
	RebuildSearch func(ctx context.Context, h *Host, progress func(index string, done int)) (report string, err error)
	// Load stores reference data from a file, such as a gazetteer, and returns a summary; nil
	// if the system has none. It may be repeated, and skips what is already stored. It calls
	// progress with the number of entries done so far.
	Load func(ctx context.Context, h *Host, file io.ReadSeeker, progress func(done int)) (report string, err error)
	// Check reads all items and reports contradictions between them other than wrong keys
	// and counters; nil if there can be none. It may also report items that an undelivered
	// event is about to clean up.
	Check func(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error)
}

// Endpoint returns the path of the system's API.
func (s System) Endpoint() string { return cmp.Or(s.Path, "/"+s.Name+"/graphql") }

// Face is what a system serves.
type Face struct {
	Schema graphql.ExecutableSchema
	// Authenticator identifies the system's callers; nil stands for the Host's.
	Authenticator Authenticator
	// OperationContext adds values that live as long as an operation, such as loaders, to
	// its context, which already has the viewer. It may be nil.
	OperationContext func(ctx context.Context) context.Context
	// Scalars check values of custom scalars, by name, before an operation is executed. It
	// may be nil.
	Scalars map[string]func(value any) error
	// Public reports whether a root field needs no credentials; nil means that all fields
	// do.
	Public func(object, field string) bool
	// Prices are the additional costs of fields, such as "Query.searchUsers", to callers
	// without an account.
	Prices map[string]int
	// BodyBytes is the maximum size of a request body; 0 means that of the server.
	BodyBytes int64
	// Mounts are additional handlers, by http.ServeMux pattern.
	Mounts map[string]http.Handler
	Jobs   []job.Job
	// Usernames looks up the usernames that users can sign in with; nil if there are none.
	Usernames identity.Usernames
	// People are the people of the system as operators and moderators see them; nil if it
	// shows none.
	People operator.People
	// Content is what people can report in the system; nil if there is nothing.
	Content operator.Content

	// Admit, Introspection and Recheck are those of server.System, for a graph that only
	// some callers may use.
	Admit         func(ctx context.Context) error
	Introspection bool
	Recheck       time.Duration
	// Off reports whether the system is not served at the moment; nil means that it always is.
	Off func() bool
}

// Seeding configures a generated network.
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

// MaxSeeded is the maximum number of generated users.
const MaxSeeded = 100_000

// SeedPassword is the password of all generated users.
const SeedPassword = "stoa-demo-2026"

// Tables returns the tables of the systems and of the host.
func Tables(systems ...System) []*keyspec.Table {
	var tables []*keyspec.Table
	for _, s := range systems {
		tables = append(tables, s.Tables...)
	}
	return append(tables, ops.Tables...)
}

// Broken reports the contradictions between the items of identity and of some systems.
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
