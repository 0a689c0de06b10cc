package resolvers

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/page"
	"stoa/systems/communities"
	"stoa/systems/communities/graph"
)

func args(limit *int, nextToken *string) page.Args {
	return page.Args{Limit: limit, NextToken: nextToken}
}

// shown gives a page the type that it has in the schema.
func shown[P ~struct{ page.Page[T] }, T any](p page.Page[T], err error) (*P, error) {
	if err != nil {
		return nil, err
	}
	if p.Items == nil {
		p.Items = []T{}
	}
	return page.As[P](&p), nil
}

// or returns what p points to, or fallback for a null that a client spelt out.
func or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

func in(t communities.ChatType, id string) communities.ChatRef {
	return communities.ChatRef{Type: t, ID: communities.ChatID(id)}
}

func span(after, before *time.Time) communities.Span {
	return communities.Span{After: or(after, time.Time{}), Before: or(before, time.Time{})}
}

func field[T any](o graphql.Omittable[*T]) communities.Edit[T] {
	return communities.Edit[T]{Given: o.IsSet(), Value: o.Value()}
}

func place(l graph.LocationInput) communities.Location {
	return communities.Location{City: l.City, State: l.State, Country: l.Country}
}

func placeField(o graphql.Omittable[*graph.LocationInput]) communities.Edit[communities.Location] {
	f := communities.Edit[communities.Location]{Given: o.IsSet()}
	if l := o.Value(); l != nil {
		f.Value = new(place(*l))
	}
	return f
}
