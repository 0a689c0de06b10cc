// Package resolve has conversions of arguments and results for the resolvers of several
// systems.
package resolve

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
)

// Args returns the arguments of a list.
func Args(limit *int, nextToken *string) page.Args {
	return page.Args{Limit: limit, NextToken: nextToken}
}

// Page converts a page to its type in the schema, and refuses an invalid size or token.
func Page[P ~struct{ page.Page[T] }, T any](p page.Page[T], err error) (*P, error) {
	if err != nil {
		return nil, page.Refused(err)
	}
	if p.Items == nil {
		p.Items = []T{}
	}
	return page.As[P](&p), nil
}

// Shown batches what an area shows to the viewer of one operation.
func Shown[K comparable, V any](ctx context.Context, wait time.Duration, show func(context.Context, viewer.Viewer, []K) (map[K]V, error)) *batch.Loader[K, V] {
	v := viewer.From(ctx)
	return batch.New(ctx, wait, func(ctx context.Context, keys []K) (map[K]V, error) { return show(ctx, v, keys) })
}

// Edit converts a field of an input to the change of a part.
func Edit[T any](o graphql.Omittable[*T]) input.Edit[T] {
	return input.Edit[T]{Given: o.IsSet(), Value: o.Value()}
}

// Pointers returns a list in the form in which gqlgen returns lists of objects.
func Pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// Values returns the values of a list in the form in which gqlgen passes lists of inputs.
func Values[T any](list []*T) []T {
	all := make([]T, len(list))
	for i := range list {
		all[i] = *list[i]
	}
	return all
}
