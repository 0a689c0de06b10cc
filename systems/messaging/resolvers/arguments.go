package resolvers

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/input"
	"stoa/internal/kit/resolve"
	"stoa/systems/messaging"
	"stoa/systems/messaging/graph"
)

// listing says which messages of a topic are listed.
func listing(operation, topic string, since, before *int, order *graph.SortOrder) messaging.Listing {
	return messaging.Listing{
		Operation: operation, Topic: topic, Span: span(since, before),
		OldestFirst: resolve.Or(order, graph.SortOrderDesc) == graph.SortOrderAsc,
	}
}

// spans keeps apart what was not given and what is empty.
func spans(ranges []*messaging.SeqRange) []messaging.SeqRange {
	if ranges == nil {
		return nil
	}
	return resolve.Values(ranges)
}

// span are numbers from one that is included to one that is not. Below 1 there are none.
func span(since, before *int) messaging.Span {
	s := messaging.Span{Since: max(1, resolve.Or(since, 1))}
	if before != nil {
		s.Before = max(1, *before)
	}
	return s
}

// tags are those that somebody chooses anew; null is none.
func tags(o graphql.Omittable[[]string]) input.Edit[[]string] {
	all := o.Value()
	return input.Edit[[]string]{Given: o.IsSet(), Value: &all}
}
