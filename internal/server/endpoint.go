package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
)

// endpoint serves one system.
type endpoint struct {
	*Server
	System
	executor *operation.Executor
	// typesOnly is set if callers without credentials may introspect the schema and nothing
	// else.
	typesOnly bool
}

func (s *Server) endpoint(system System) *endpoint {
	typesOnly := system.Public == nil && s.config.OpenIntrospection && system.Admit == nil
	if typesOnly {
		system.Public = func(_, field string) bool { return field == "__schema" || field == "__type" }
	}
	return &endpoint{
		Server:    s,
		System:    system,
		typesOnly: typesOnly,
		executor: operation.New(operation.Config{
			Schema:        system.Schema,
			Limits:        system.Limits,
			Introspection: s.config.Introspection || system.Introspection,
			Admit:         system.Admit,
			Context:       system.OperationContext,
			Scalars:       system.Scalars,
			Prices:        system.Prices,
			Turn:          s.turn,
			Spend:         s.spend,
			Tracer:        s.config.Tracer,
			Log:           s.config.Log.With("system", system.Name),
			Registry:      prometheus.WrapRegistererWith(prometheus.Labels{"system": system.Name}, s.config.Registry),
		}),
	}
}

// whenOn is a handler that answers 404 while the system is off.
func (e *endpoint) whenOn(handle http.HandlerFunc) http.HandlerFunc {
	if e.Off == nil {
		return handle
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if e.Off() {
			http.NotFound(w, r)
			return
		}
		handle(w, r)
	}
}

// turn waits until the caller may run another operation. One with a share of 1 weighs as
// much as all concurrent operations of a user, or as half of those from an address, which
// several people may share.
func (s *Server) turn(ctx context.Context, share float64) operation.Turn {
	if viewer.From(ctx).UserID == "" {
		share /= 2
	}
	weight := 1 + share*float64(s.config.Limits.UserOperations-1)
	turn, _ := s.turns.Begin(ctx, callerKey(ctx), int64(weight)) // an operation whose time is up fails by itself
	return turn
}

// spend counts calls towards the caller's rate limit, beside the one of the request.
func (s *Server) spend(ctx context.Context, calls int) {
	s.limiter.Spend(callerKey(ctx), s.tuned.Load().rate, calls)
}

// bodyBytes returns the maximum size of a request body or message of the viewer.
func (e *endpoint) bodyBytes(ctx context.Context) int64 {
	if viewer.From(ctx).Anonymous {
		return min(e.BodyBytes, e.config.Limits.AnonymousBodyBytes)
	}
	return e.BodyBytes
}

// realtimePaths returns the socket paths that SDKs derive from the path of a graph: most
// append to it, some replace its last element.
func realtimePaths(path string) []string {
	paths := []string{path + "/realtime"}
	if parent, ok := strings.CutSuffix(path, "/graphql"); ok {
		paths = append(paths, parent+"/realtime")
	}
	return paths
}
