package server

import (
	"context"
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
}

func (s *Server) endpoint(system System) *endpoint {
	return &endpoint{
		Server: s,
		System: system,
		executor: operation.New(operation.Config{
			Schema:        system.Schema,
			Limits:        system.Limits,
			Introspection: s.config.Introspection,
			Context:       system.OperationContext,
			Scalars:       system.Scalars,
			Prices:        system.Prices,
			Turn: func(ctx context.Context, cost int) func() {
				return s.turn(ctx, cost, system.Limits.Complexity)
			},
			Log:      s.config.Log.With("system", system.Name),
			Registry: prometheus.WrapRegistererWith(prometheus.Labels{"system": system.Name}, s.config.Registry),
		}),
	}
}

// turn waits until the viewer may run another operation of the given cost. One of the
// maximum cost weighs as much as all concurrent operations of the viewer. Anonymous callers
// are not limited, since they cannot be distinguished.
func (s *Server) turn(ctx context.Context, cost, most int) (end func()) {
	if viewer.From(ctx).UserID == "" {
		return func() {}
	}
	weight := 1 + float64(cost)/float64(most)*float64(s.config.Limits.UserOperations-1)
	end, _ = s.turns.Take(ctx, userKey(ctx), int64(weight)) // an operation whose time is up fails by itself
	return end
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
