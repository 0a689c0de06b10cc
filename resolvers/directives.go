package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"stoa/graph"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// Directives returns the implementations of the schema's directives.
func (r *Resolver) Directives() graph.DirectiveRoot {
	return graph.DirectiveRoot{Caller: r.caller}
}

// caller admits callers with one of the given statuses to a field and puts the caller into
// the context of its resolver. It also keeps the caller's dating switched on, unless the
// field is idle. A caller who has lost that status meanwhile is told so, rather than of the
// conflict with it. Somebody who is suspended is admitted like users who are disabled, to fields
// that need no credentials: theirs are refused.
func (r *Resolver) caller(ctx context.Context, _ any, next graphql.Resolver, status []social.UserStatus, idle *bool) (any, error) {
	v := viewer.From(ctx)
	if v.UserID == "" { // of fields that are open to all
		if v.Suspended == "" || !slices.Contains(status, social.UserDisabled) {
			return nil, refusal.Forbiddenf("You are not authorized to make this call.")
		}
		v.UserID, v.Anonymous = v.Suspended, false
	}
	c, err := r.Users.Admit(ctx, v, status)
	if err != nil {
		return nil, err
	}
	if idle == nil || !*idle {
		if err := r.Dating.Renew(ctx, c); err != nil {
			return nil, err
		}
	}
	result, err := next(social.WithCaller(ctx, c))
	if refusal.KindOf(err) == refusal.Conflict {
		if _, refused := r.Users.Admit(ctx, v, status); refused != nil {
			return nil, refused
		}
	}
	return result, err
}
