// Package testgraph is a small graph for tests and benchmarks of the server.
//
// Its resolvers respond from memory, and tests control them through the fields of Graph.
// Each test uses its own Graph.
package testgraph

//go:generate go run stoa/internal/kit/gqlplan/generate

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/after"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Graph is the root of the resolvers.
type Graph struct {
	// Release lets one running `wait` return for each value sent.
	Release chan struct{}
	// Waiting receives a value when a `wait` has started.
	Waiting chan struct{}
	// Ticks feeds every running `onTick`; closing it ends them.
	Ticks chan *Tick
	// Bus, if set, is a bus that every `onTick` listens to without reading from it.
	Bus *bus.Local
	// Listen, if set, returns the ticks that an `onTick` for a user shows.
	Listen func(ctx context.Context, userID string) (<-chan *Tick, error)
	// Subscribed and Unsubscribed receive a value for each `onTick` that starts or ends.
	Subscribed, Unsubscribed chan struct{}
	// Viewers receives the viewer who starts an `onTick`, while there is room.
	Viewers chan viewer.Viewer
	// Contexts receives the context of each `onTick` that starts, while there is room.
	Contexts chan context.Context
	// OnTouch is called after the response to `touch` has been sent.
	OnTouch func(note string)
	// Notes is the number of calls of `touch`.
	Notes atomic.Int64
}

// New returns a graph whose channels have sufficient capacity for a test.
func New() *Graph {
	return &Graph{
		Release:      make(chan struct{}, 16),
		Waiting:      make(chan struct{}, 16),
		Ticks:        make(chan *Tick, 16),
		Subscribed:   make(chan struct{}, 1024),
		Unsubscribed: make(chan struct{}, 1024),
		Viewers:      make(chan viewer.Viewer, 1),
		Contexts:     make(chan context.Context, 16),
		OnTouch:      func(string) {},
	}
}

// Schema returns the executable schema.
func (g *Graph) Schema() graphql.ExecutableSchema {
	return NewPlannedSchema(Config{Resolvers: g})
}

type (
	query        struct{ *Graph }
	mutation     struct{ *Graph }
	subscription struct{ *Graph }
	tick         struct{}
)

func (g *Graph) Query() QueryResolver               { return query{g} }
func (g *Graph) Mutation() MutationResolver         { return mutation{g} }
func (g *Graph) Subscription() SubscriptionResolver { return subscription{g} }
func (g *Graph) Tick() TickResolver                 { return tick{} }

type loadsKey struct{}

// WithLoads returns the context of one operation or event, which counts loads.
func WithLoads(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadsKey{}, new(atomic.Int64))
}

func (query) Viewer(ctx context.Context) (*Viewer, error) {
	v := viewer.From(ctx)
	seen := &Viewer{UserID: string(v.UserID)}
	if v.Client.Version != "" {
		seen.Version = &v.Client.Version
	}
	return seen, nil
}

func (query) Greeting(_ context.Context, name string) (string, error) {
	return "Hello " + name, nil
}

var author = &Viewer{UserID: "us-east-1:00000000-0000-4000-8000-000000000000"}

func (query) Items(_ context.Context, limit *int) ([]*Item, error) {
	items := make([]*Item, 0, *limit)
	for i := range *limit {
		items = append(items, &Item{ItemID: fmt.Sprint("item-", i), Text: "A text of some length", LikeCount: i, Author: author})
	}
	return items, nil
}

func fail(how Failure) error {
	switch how {
	case FailureClient:
		return refusal.Invalidf("User `%s` is not ACTIVE", "us-east-1:x")
	case FailureClientWithInfo:
		return &refusal.Error{Kind: refusal.Invalid, Text: "Name is required", Info: []string{"MISSING_FULL_NAME"}}
	case FailureServerWithText:
		return refusal.Faultf("AppStore responded with status `%d`", 21005)
	case FailurePanic:
		panic("told to")
	}
	return errors.New("disk on fire at /var/secret")
}

func (query) Fail(_ context.Context, how Failure) (*string, error) { return nil, fail(how) }

func (query) MustFail(_ context.Context, how Failure) (string, error) { return "", fail(how) }

func (query) Word(_ context.Context, value Word) (*Word, error) { return &value, nil }

func (q query) Wait(ctx context.Context) (*string, error) {
	q.Waiting <- struct{}{}
	select {
	case <-q.Release:
		done := "done"
		return &done, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m mutation) Touch(ctx context.Context, note string) (string, error) {
	m.Notes.Add(1)
	after.Do(ctx, func() { m.OnTouch(note) })
	return note, nil
}

func (s subscription) OnTick(ctx context.Context, userID string) (<-chan *Tick, error) {
	if userID != string(viewer.From(ctx).UserID) {
		return nil, refusal.Forbiddenf("Cannot subscribe to notifications intended for another user")
	}
	select {
	case s.Viewers <- viewer.From(ctx):
	default:
	}
	select {
	case s.Contexts <- ctx:
	default:
	}
	defer func() { s.Subscribed <- struct{}{} }()
	context.AfterFunc(ctx, func() { s.Unsubscribed <- struct{}{} })
	switch {
	case s.Listen != nil:
		return s.Listen(ctx, userID)
	case s.Bus == nil:
		return s.Ticks, nil
	}
	missed := make(chan *Tick)
	_, err := s.Bus.Subscribe(ctx, "ticks")
	return missed, err
}

func (tick) Label(_ context.Context, t *Tick) (*string, error) {
	switch t.Number {
	case 13:
		return nil, refusal.Invalidf("No 13th tick")
	case 31:
		return nil, fail(FailureServer)
	}
	label := fmt.Sprint("tick ", t.Number)
	return &label, nil
}

func (tick) Loads(ctx context.Context, _ *Tick) (int, error) {
	return int(ctx.Value(loadsKey{}).(*atomic.Int64).Add(1)), nil
}
