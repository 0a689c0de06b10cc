package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"stoa/graph"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// Directives returns the implementations of the schema's directives.
func (r *Resolver) Directives() graph.DirectiveRoot {
	return graph.DirectiveRoot{Caller: r.caller}
}

// caller admits callers with one of the given statuses to a field and puts the caller into
// the context of its resolver. It also keeps the caller's dating switched on, unless the
// field is idle.
func (r *Resolver) caller(ctx context.Context, _ any, next graphql.Resolver, status []social.UserStatus, idle *bool) (any, error) {
	c, err := r.Users.Admit(ctx, viewer.From(ctx), status)
	if err != nil {
		return nil, err
	}
	if idle == nil || !*idle {
		if err := r.Dating.Renew(ctx, c); err != nil {
			return nil, err
		}
	}
	return next(social.WithCaller(ctx, c))
}
