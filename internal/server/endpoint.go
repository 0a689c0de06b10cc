package server

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
)

// endpoint is where one system answers.
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
			Turn: func(ctx context.Context, cost int) func() {
				return s.turn(ctx, cost, system.Limits.Complexity)
			},
			Log:      s.config.Log.With("system", system.Name),
			Registry: prometheus.WrapRegistererWith(prometheus.Labels{"system": system.Name}, s.config.Registry),
		}),
	}
}

// turn waits until the viewer may run one more operation, which weighs as much as all that
// they may run if it costs as much as it may. Those without credentials are many, whom nobody
// can tell apart.
func (s *Server) turn(ctx context.Context, cost, most int) (end func()) {
	if viewer.From(ctx).UserID == "" {
		return func() {}
	}
	weight := 1 + float64(cost)/float64(most)*float64(s.turns.most-1)
	return s.turns.take(ctx, userKey(ctx), int64(weight))
}

// realtimePaths are those that SDKs derive from the path of a graph for their sockets:
// most append to it, some replace its end.
func realtimePaths(path string) []string {
	paths := []string{path + "/realtime"}
	if parent, ok := strings.CutSuffix(path, "/graphql"); ok {
		paths = append(paths, parent+"/realtime")
	}
	return paths
}
