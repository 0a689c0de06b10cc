package resolvers

import "stoa/internal/kit/page"

func args(limit *int, nextToken *string) page.Args {
	return page.Args{Limit: limit, NextToken: nextToken}
}

// shown gives a page the type that it has in the schema.
func shown[P ~struct{ page.Page[T] }, T any](p page.Page[T], err error) (*P, error) {
	if err != nil {
		return nil, page.Refused(err)
	}
	return page.As[P](&p), nil
}

// pointers makes what a list of objects is to gqlgen.
func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

func values[T any](list []*T) []T {
	all := make([]T, len(list))
	for i := range list {
		all[i] = *list[i]
	}
	return all
}

// or returns what p points to, or fallback for a null that a client spelt out.
func or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}
