package server

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/idempotency"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
)

// Authenticator returns the caller identified by credentials.
type Authenticator interface {
	// Authenticate returns the identity of an Authorization header: a token, with or
	// without the prefix "Bearer ", or "" if there is none. A *refusal.Error refuses the
	// caller and its text is shown; any other error means that the credentials could not be
	// checked. It is called for every request, so known tokens must be answered from
	// memory.
	Authenticate(ctx context.Context, authorization string) (viewer.UserID, error)
}

// Identifier is an Authenticator that knows which callers are anonymous.
type Identifier interface {
	// Identify does what Authenticate does, and reports whether the caller is anonymous:
	// nothing is known by which to find them again.
	Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error)
}

// System is one of the graphs that a Server serves. Name, Path and Schema are required.
type System struct {
	// Name identifies the system in logs, metrics and GraphiQL.
	Name string
	// Path is the path of the graph, such as "/graphql" or "/pantry/graphql". WebSockets
	// are accepted there and at the paths that SDKs derive from it, which end in /realtime.
	Path   string
	Schema graphql.ExecutableSchema
	// Authenticator authenticates the system's callers; nil means that of the Server.
	Authenticator Authenticator
	// OperationContext adds values with the lifetime of one query, mutation or event, such
	// as loaders. The viewer is in the context.
	OperationContext func(context.Context) context.Context
	// Scalars validate values of custom scalars, by name, before an operation is executed.
	// Values of other scalars are validated with their field.
	Scalars map[string]func(value any) error
	// Public reports whether a root field, such as "register" of "Mutation", is open to
	// callers without credentials. A request for such fields only is then executed with the
	// zero viewer; a mutation also if its credentials are invalid. If Public is nil,
	// credentials are always required.
	Public func(object, field string) bool
	// Admit refuses callers to whom nothing of the graph is shown, not even its types. It is
	// called for every operation, and again for subscribers; see Recheck. It may be nil.
	Admit func(context.Context) error
	// Off reports whether the graph is not there at the moment: its paths answer 404. It is
	// called for every request, and may be nil.
	Off func() bool
	// Introspection enables introspection of the schema even if the Server does not.
	Introspection bool
	// Recheck is the interval at which credentials of subscribers are rechecked; 0 means that
	// of the Server.
	Recheck time.Duration
	// Prices are additional prices of fields for callers without an account, by name:
	// "Query.searchUsers". See operation.Limits.
	Prices map[string]int
	// Limits that are zero are taken from the Server.
	Limits operation.Limits
	// given are the Limits before they were completed.
	given operation.Limits
	// BodyBytes is the maximum size of a request body; 0 means that of the Server.
	BodyBytes int64
}

// Config configures a Server. Systems and Authenticator are required; zero values of other
// fields have the documented meaning.
type Config struct {
	Systems       []System
	Authenticator Authenticator
	// Rate limits the operations of each user, and of each address without credentials.
	Rate ratelimit.Limit
	// Ready returns the reason why the service is currently unavailable. Nil means always
	// ready.
	Ready func(context.Context) error
	// Keys stores what was done and answered on requests with an idempotency key. If it is
	// nil, such keys have no effect.
	Keys idempotency.Store
	// Mounts are handlers of further paths, by http.ServeMux pattern such as "/auth/".
	Mounts map[string]http.Handler
	// TrustedProxies are addresses and networks, such as "10.0.0.0/8", of proxies whose
	// X-Forwarded-For is trusted.
	TrustedProxies []string
	// Hosts are the host names of this server. If there are any, requests to names other
	// than these, localhost and IP addresses are refused.
	Hosts []string
	// CORSOrigins are the origins that may read responses in a browser, such as
	// "https://app.example", or "*" for all, without credentials.
	CORSOrigins []string
	// LocalOrigins lets pages of this machine read responses too, whatever their port.
	LocalOrigins bool
	// Site has the files of a web app to serve at "/"; nil serves none.
	Site fs.FS
	// Playground serves GraphiQL at "/", or at "/playground/" beside a site.
	Playground bool
	// Console reports whether the console of operators is served at "/console" at the moment.
	// If it is nil or returns false, nothing is served there, not even a site.
	Console func() bool
	// PublicURL is where clients reach the server, such as "https://api.app.example": signed
	// URLs of media begin with it.
	PublicURL string
	// Introspection enables introspection of the schema.
	Introspection bool
	// OpenIntrospection lets callers without credentials introspect the schemas of systems
	// without Admit, for tools that know none.
	OpenIntrospection bool
	// EventDelay delays the effects of a mutation after its response, by at most 2 s.
	EventDelay time.Duration
	// Limits that are zero are taken from DefaultLimits.
	Limits Limits
	// Log receives one line per operation; nil discards them.
	Log *slog.Logger
	// Registry collects metrics; nil means a private one.
	Registry *prometheus.Registry
	// Tracer traces requests; nil for none.
	Tracer *trace.Tracer
	// Metrics serves the registry at "/metrics".
	Metrics bool
}

// Limits limit the requests of clients and their duration.
type Limits struct {
	// Operation limits documents.
	Operation operation.Limits
	// UserOperations is the number of queries and mutations of one user that may run
	// concurrently; others wait. One whose cost is Operation.Complexity runs alone. On a
	// WebSocket, an operation ends when the connection has accepted its response.
	UserOperations int
	// BodyBytes is the maximum size of a request body or WebSocket message, BodiesBytes the
	// total size of all bodies being read.
	BodyBytes, BodiesBytes int64
	// AnonymousBodyBytes is the maximum size of those of anonymous callers. Values can be of
	// any structure, and take longer to parse than to send.
	AnonymousBodyBytes int64
	// Subscriptions is the maximum number of concurrent operations on one WebSocket,
	// UserSubscriptions that of one user's subscriptions on all connections.
	Subscriptions, UserSubscriptions int
	// Init is the timeout for a WebSocket client to send its credentials.
	Init time.Duration
	// KeepAlive is the interval of keep-alive messages on idle streams and sockets, Pong
	// the timeout for a client's reply.
	KeepAlive, Pong time.Duration
	// Recheck is the interval at which credentials of subscribers are rechecked.
	Recheck time.Duration
	// Write is the timeout for a client to accept a message before it is disconnected.
	Write time.Duration
	// Shutdown is the timeout for running operations to finish.
	Shutdown time.Duration
}

// DefaultLimits are generous for apps and tight for scripts.
var DefaultLimits = Limits{
	Operation: operation.Limits{
		Tokens:              15_000,
		Depth:               16,
		Complexity:          50_000,
		AnonymousComplexity: 12_000,
		Duration:            30 * time.Second,
		AnswerBytes:         8 << 20,
		ReadBytes:           64 << 20,
	},
	// More than a page of an app requests at once, and few enough to leave processors for
	// other users.
	UserOperations: 8,
	BodyBytes:      2 << 20,
	BodiesBytes:    64 << 20,
	// What any system promises to take (realtime 8.2#11), and less than some take of users.
	AnonymousBodyBytes: 2 << 20,
	Subscriptions:      100,
	// Ten devices with the maximum of one connection each.
	UserSubscriptions: 1000,
	Init:              3 * time.Second,
	KeepAlive:         12 * time.Second,
	// Reconnecting takes old apps minutes, and phones may sleep briefly.
	Pong:     30 * time.Second,
	Recheck:  10 * time.Second,
	Write:    10 * time.Second,
	Shutdown: 10 * time.Second,
}

// maxEventDelay is the longest that apps wait for an event.
const maxEventDelay = 2 * time.Second

// CheckSettings returns the error that New would return for EventDelay, TrustedProxies or
// CORSOrigins, so that settings can be checked before anything is opened.
func (c Config) CheckSettings() error {
	if c.EventDelay < 0 || c.EventDelay > maxEventDelay {
		return errors.New("event-delay must lie between 0 and 2s: apps give up on later events")
	}
	if _, err := parseProxies(c.TrustedProxies); err != nil {
		return err
	}
	_, err := parseOrigins(c.CORSOrigins, false)
	return err
}

func (c Config) complete() (Config, error) {
	switch {
	case len(c.Systems) == 0:
		return c, errors.New("server: Config.Systems is empty")
	case c.Authenticator == nil:
		return c, errors.New("server: Config.Authenticator is missing")
	}
	if err := c.CheckSettings(); err != nil {
		return c, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Registry == nil {
		c.Registry = prometheus.NewRegistry()
	}
	c.Limits = c.Limits.complete()
	c.Systems = slices.Clone(c.Systems)
	for i := range c.Systems {
		s := &c.Systems[i]
		s.given = s.Limits
		s.Limits = s.Limits.Or(c.Limits.Operation)
		orDefault(&s.BodyBytes, c.Limits.BodyBytes)
		orDefault(&s.Recheck, c.Limits.Recheck)
		if s.Authenticator == nil {
			s.Authenticator = c.Authenticator
		}
	}
	return c, nil
}

func (l Limits) complete() Limits {
	d := DefaultLimits
	l.Operation = l.Operation.Or(d.Operation)
	orDefault(&l.BodyBytes, d.BodyBytes)
	orDefault(&l.BodiesBytes, d.BodiesBytes)
	orDefault(&l.AnonymousBodyBytes, d.AnonymousBodyBytes)
	orDefault(&l.UserOperations, d.UserOperations)
	orDefault(&l.Subscriptions, d.Subscriptions)
	orDefault(&l.UserSubscriptions, d.UserSubscriptions)
	orDefault(&l.Init, d.Init)
	orDefault(&l.KeepAlive, d.KeepAlive)
	orDefault(&l.Pong, d.Pong)
	orDefault(&l.Recheck, d.Recheck)
	orDefault(&l.Write, d.Write)
	orDefault(&l.Shutdown, d.Shutdown)
	return l
}

func orDefault[N int | int64 | time.Duration](value *N, otherwise N) {
	*value = cmp.Or(*value, otherwise)
}
