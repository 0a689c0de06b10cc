package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
)

// Authenticator names the caller behind credentials.
type Authenticator interface {
	// Authenticate returns the identity that an Authorization header stands for: a
	// token, with or without "Bearer " before it, or "" when the client sent none. A
	// *refusal.Error refuses the caller and shows its text; any other error means that
	// the credentials could not be checked. It is asked with every request and must
	// answer known tokens from memory.
	Authenticate(ctx context.Context, authorization string) (viewer.UserID, error)
}

// System is one graph among those that a Server serves. Name, Path and Schema are
// required.
type System struct {
	// Name tells systems apart in logs, metrics and GraphiQL.
	Name string
	// Path is where it answers, "/graphql" or "/pantry/graphql". Its sockets are taken
	// there as well as at the paths that SDKs derive from it, which end in /realtime.
	Path   string
	Schema graphql.ExecutableSchema
	// Authenticator names the system's callers; nil stands for that of the Server.
	Authenticator Authenticator
	// OperationContext adds what lives as long as one query, mutation or event, such
	// as loaders. It runs with the viewer in the context.
	OperationContext func(context.Context) context.Context
	// Scalars refuse values of custom scalars, by their names, before an operation is
	// executed; those that are missing are refused with the field that has them.
	Scalars map[string]func(value any) error
	// Public reports whether a root field, such as "register" of "Mutation", may be asked
	// for without credentials. A request for such fields alone then runs with the zero
	// viewer; a mutation does so as well with credentials that are not good. Nil demands
	// credentials of everybody.
	Public func(object, field string) bool
	// Limits that are zero are those of the Server.
	Limits operation.Limits
	// BodyBytes bounds a request body; 0 stands for the bound of the Server.
	BodyBytes int64
}

// Config is what a Server is made of. Systems and Authenticator are required; zero
// values elsewhere mean what the field says.
type Config struct {
	Systems       []System
	Authenticator Authenticator
	// Rate bounds the operations of each user, and of each address without credentials.
	Rate ratelimit.Limit
	// Ready reports why the service cannot answer right now. Nil is always ready.
	Ready func(context.Context) error
	// Mounts are handlers of further paths, as patterns of http.ServeMux: "/auth/".
	Mounts map[string]http.Handler
	// TrustedProxies are addresses and networks, such as "10.0.0.0/8", of proxies whose
	// X-Forwarded-For is believed.
	TrustedProxies []string
	// Hosts are the names of this server. If there are any, requests to names other than
	// these, localhost and plain addresses are refused.
	Hosts []string
	// CORSOrigins may read answers in a browser: "https://app.example", or "*" for
	// all, then without credentials.
	CORSOrigins []string
	// Playground serves GraphiQL at "/".
	Playground bool
	// Introspection lets clients read the schema.
	Introspection bool
	// EventDelay postpones what a mutation causes after its answer, at most 2 s.
	EventDelay time.Duration
	// Limits that are zero take the values of DefaultLimits.
	Limits Limits
	// Log gets a line per operation; nil discards.
	Log *slog.Logger
	// Registry collects metrics; nil uses one of the Server's own.
	Registry *prometheus.Registry
	// Metrics serves the registry at "/metrics".
	Metrics bool
}

// Limits bound what clients may ask for and how long they may take.
type Limits struct {
	// Operation bounds documents.
	Operation operation.Limits
	// UserOperations bounds the queries and mutations of one user that run at once; more
	// wait for their turn. One that costs as much as Operation.Complexity runs alone.
	UserOperations int
	// BodyBytes bounds a request body and a WebSocket message, BodiesBytes all bodies that
	// are being read.
	BodyBytes, BodiesBytes int64
	// Subscriptions bounds operations at a time on one WebSocket, UserSubscriptions those
	// of one user on all connections.
	Subscriptions, UserSubscriptions int
	// Init is how long a WebSocket may take to send its credentials.
	Init time.Duration
	// KeepAlive is the time between signs of life on idle streams and sockets, Pong how
	// long a client may take to answer one.
	KeepAlive, Pong time.Duration
	// Recheck is how often credentials of those who listen are checked again.
	Recheck time.Duration
	// Write is how long a client may take to accept a message before it is dropped.
	Write time.Duration
	// Shutdown is how long running operations may take to finish.
	Shutdown time.Duration
}

// DefaultLimits are generous for apps and tight for scripts.
var DefaultLimits = Limits{
	Operation: operation.Limits{Tokens: 15_000, Depth: 16, Complexity: 50_000, Duration: 30 * time.Second, AnswerBytes: 8 << 20, ReadBytes: 64 << 20},
	// More than a page of an app asks for at once, and few enough that others get a
	// processor.
	UserOperations: 8,
	BodyBytes:      2 << 20,
	BodiesBytes:    64 << 20,
	Subscriptions:  100,
	// Ten devices with as many as a connection may have.
	UserSubscriptions: 1000,
	Init:              3 * time.Second,
	KeepAlive:         12 * time.Second,
	// Closed sockets cost old apps minutes: phones may sleep for a moment.
	Pong:     30 * time.Second,
	Recheck:  10 * time.Second,
	Write:    10 * time.Second,
	Shutdown: 10 * time.Second,
}

// maxEventDelay is what apps wait for an event at most.
const maxEventDelay = 2 * time.Second

func (c Config) complete() (Config, error) {
	switch {
	case len(c.Systems) == 0:
		return c, errors.New("server: Config.Systems is empty")
	case c.Authenticator == nil:
		return c, errors.New("server: Config.Authenticator is missing")
	case c.EventDelay < 0 || c.EventDelay > maxEventDelay:
		return c, errors.New("event-delay must lie between 0 and 2s: apps give up on later events")
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
		s.Limits = s.Limits.Or(c.Limits.Operation)
		orDefault(&s.BodyBytes, c.Limits.BodyBytes)
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
