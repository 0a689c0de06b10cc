package resolvers

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/systems/communities"
	"stoa/systems/communities/graph"
)

func in(t communities.ChatType, id string) communities.ChatRef {
	return communities.ChatRef{Type: t, ID: communities.ChatID(id)}
}

func span(after, before *time.Time) communities.Span {
	return communities.Span{After: optional.Or(after, time.Time{}), Before: optional.Or(before, time.Time{})}
}

func place(l graph.LocationInput) communities.Location {
	return communities.Location{City: l.City, State: l.State, Country: l.Country}
}

func placeField(o graphql.Omittable[*graph.LocationInput]) input.Edit[communities.Location] {
	f := input.Edit[communities.Location]{Given: o.IsSet()}
	if l := o.Value(); l != nil {
		f.Value = new(place(*l))
	}
	return f
}
