package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"stoa/graph"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// Directives returns what stands behind the schema's directives.
func (r *Resolver) Directives() graph.DirectiveRoot {
	return graph.DirectiveRoot{Caller: r.caller}
}

// caller lets a field through for callers with one of the given statuses, and puts
// the caller into the context for its resolver.
func (r *Resolver) caller(ctx context.Context, _ any, next graphql.Resolver, status []social.UserStatus) (any, error) {
	c, err := r.Users.Admit(ctx, viewer.From(ctx), status)
	if err != nil {
		return nil, err
	}
	return next(social.WithCaller(ctx, c))
}
