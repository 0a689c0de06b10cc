package resolvers

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/systems/messaging"
	"stoa/systems/messaging/graph"
)

// listing returns the selection of a topic's messages.
func listing(operation, topic string, since, before *int, order *graph.SortOrder) messaging.Listing {
	return messaging.Listing{
		Operation: operation, Topic: topic, Span: span(since, before),
		OldestFirst: optional.Or(order, graph.SortOrderDesc) == graph.SortOrderAsc,
	}
}

// spans distinguishes ranges that are not given from empty ones.
func spans(ranges []*messaging.SeqRange) []messaging.SeqRange {
	if ranges == nil {
		return nil
	}
	return resolve.Values(ranges)
}

// span returns the range of numbers from since, inclusive, to before, exclusive. Numbers
// start at 1.
func span(since, before *int) messaging.Span {
	s := messaging.Span{Since: max(1, optional.Or(since, 1))}
	if before != nil {
		s.Before = max(1, *before)
	}
	return s
}

// tags returns the edit of a user's tags; null removes all.
func tags(o graphql.Omittable[[]string]) input.Edit[[]string] {
	all := o.Value()
	return input.Edit[[]string]{Given: o.IsSet(), Value: &all}
}
