// Package resolve has what the resolvers of several systems turn arguments and answers
// with. It decides nothing.
package resolve

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
)

// Args are the arguments of a list.
func Args(limit *int, nextToken *string) page.Args {
	return page.Args{Limit: limit, NextToken: nextToken}
}

// Page gives a page the type that it has in the schema, and refuses a bad size or token.
func Page[P ~struct{ page.Page[T] }, T any](p page.Page[T], err error) (*P, error) {
	if err != nil {
		return nil, page.Refused(err)
	}
	if p.Items == nil {
		p.Items = []T{}
	}
	return page.As[P](&p), nil
}

// Edit is what a field of an input says of a part.
func Edit[T any](o graphql.Omittable[*T]) input.Edit[T] {
	return input.Edit[T]{Given: o.IsSet(), Value: o.Value()}
}

// Pointers makes of a list what a list of objects is to gqlgen.
func Pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// Values makes a list of what a list of inputs is to gqlgen.
func Values[T any](list []*T) []T {
	all := make([]T, len(list))
	for i := range list {
		all[i] = *list[i]
	}
	return all
}

// Or returns what p points to, or fallback for a null, given or not.
func Or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}
