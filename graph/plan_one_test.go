package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2"

	"stoa/social"
)

// multiplied selects more fields than plans are kept for.
func multiplied() string {
	var b strings.Builder
	b.WriteString("{ self { ...F0 } }")
	for i := range 3 {
		fmt.Fprintf(&b, " fragment F%d on User { a%d: followedUsers { items { ...F%d } } b%d: followerUsers { items { username ...F%d } } }", i, i, i+1, i, i+1)
	}
	b.WriteString(" fragment F3 on User { userId }")
	return b.String()
}

// Requests that no plan is kept for are answered as gqlgen answers them.
func TestPlansForOneRequestAnswerAsGqlgenDoes(t *testing.T) {
	contract := Executable(nil, DirectiveRoot{}).Schema()
	for _, c := range []struct {
		name, text string
		variables  map[string]any
		hidden     bool
	}{
		{name: "introspection", text: introspection.Query},
		{name: "introspection beside data", text: `query($n: String!) { self { userId } a: __schema { queryType { name } } __typename
			b: __type(name: $n) { name fields { name } } ... on Query { c: __type(name: "Nobody") { name } } d: __schema @skip(if: true) { types { name } } }`,
			variables: map[string]any{"n": "User"}},
		{name: "introspection that is not allowed", text: `{ self { userId } __schema { queryType { name } } __type(name: "User") { name } }`, hidden: true},
		{name: "a condition that is null", text: `query($x: Boolean = true) { self @include(if: $x) { userId } }`, variables: map[string]any{"x": nil}},
		{name: "a condition below that is null", text: `query($x: Boolean = true) { self { userId bio @include(if: $x) } a: self { userId } }`, variables: map[string]any{"x": nil}},
		{name: "fragments that multiply", text: multiplied()},
		{name: "mutations", text: `mutation { a: followUser(userId: "1") { userId } b: unfollowUser(userId: "2") { userId } c: followUser(userId: "3") { __typename } }`},
	} {
		document, errs := gqlparser.LoadQuery(contract, c.text)
		if errs != nil {
			t.Fatalf("%s: %v", c.name, errs)
		}
		for seed := range uint64(40) {
			run := func(s func(Config) graphql.ExecutableSchema) (data string, errs, seen []string) {
				r := &moody{seed: seed}
				ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{
					RawQuery: c.text, Variables: c.variables, Doc: document, Operation: document.Operations[0], DisableIntrospection: c.hidden,
					RecoverFunc:            func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) },
					ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
					RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
				})
				ctx = graphql.WithResponseContext(ctx, presentWithContext, graphql.DefaultRecover)
				defer func() { // the server recovers what the schema does not
					if p := recover(); p != nil {
						data, errs, seen = fmt.Sprint("panic: ", p), texts(graphql.GetErrors(ctx)), r.sorted()
					}
				}()
				next := s(Config{Schema: contract, Resolvers: r, Directives: DirectiveRoot{Caller: moodyCaller}}).Exec(ctx)
				data = string(next(ctx).Data)
				if next(ctx) != nil {
					t.Errorf("%s: there are two answers", c.name)
				}
				return data, texts(graphql.GetErrors(ctx)), r.sorted()
			}
			wantData, wantErrors, wantSeen := run(NewExecutableSchema)
			data, errs, seen := run(func(c Config) graphql.ExecutableSchema { return NewPlannedSchema(c) })
			if data != wantData || !slices.Equal(errs, wantErrors) || !slices.Equal(seen, wantSeen) {
				t.Fatalf("%s, seed %d\ngot  %s\nwant %s\ngot  %q\nwant %q\ngot  %q\nwant %q", c.name, seed, data, wantData, errs, wantErrors, seen, wantSeen)
			}
		}
	}
}

// telling resolves subscriptions to a few events, unless it refuses.
type telling struct {
	ResolverRoot
	SubscriptionResolver
}

func (telling) Subscription() SubscriptionResolver { return telling{} }

func (telling) ChatMessageNotification() ChatMessageNotificationResolver { return telling{} }

func (telling) Message(_ context.Context, n *social.ChatMessageNotification) (*social.SeenChatMessage, error) {
	if n.Type == "" {
		return nil, errors.New("gone")
	}
	return n.Facts(0).See(nil, nil), nil
}

func (telling) OnChatMessageNotification(_ context.Context, userID string) (<-chan *social.ChatMessageNotification, error) {
	switch userID {
	case "refused":
		return nil, errors.New("not you")
	case "panic":
		panic("bad mood")
	}
	events := make(chan *social.ChatMessageNotification, 4)
	events <- &social.ChatMessageNotification{UserID: "u", Type: social.ChatMessageIsAdded}
	events <- nil
	events <- &social.ChatMessageNotification{UserID: "u\"", Type: ""}
	close(events)
	return events, nil
}

// Subscriptions by plan tell what those by gqlgen tell.
func TestSubscriptionsByPlan(t *testing.T) {
	contract := Executable(nil, DirectiveRoot{}).Schema()
	for _, userID := range []string{"u", "refused", "panic"} {
		for _, selection := range []string{`userId type`, `t: type ...F`, `message { messageId text chat { chatId } }`, `__typename`} {
			text := `subscription($u: ID!) { told: onChatMessageNotification(userId: $u) { ` + selection + ` } }`
			if strings.Contains(selection, "F") {
				text += ` fragment F on ChatMessageNotification { userId userId }`
			}
			document, errs := gqlparser.LoadQuery(contract, text)
			if errs != nil {
				t.Fatal(errs)
			}
			run := func(s graphql.ExecutableSchema) (told []string) {
				scope := func() context.Context {
					ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{
						RawQuery: text, Variables: map[string]any{"u": userID}, Doc: document, Operation: document.Operations[0],
						RecoverFunc:        func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) },
						ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
					})
					return graphql.WithResponseContext(ctx, presentWithContext, graphql.DefaultRecover)
				}
				start := scope()
				next := s.Exec(start)
				if told = texts(graphql.GetErrors(start)); len(told) > 0 {
					return told
				}
				for {
					ctx := graphql.WithFieldContext(scope(), &graphql.FieldContext{Object: "Subscription"})
					event := next(ctx)
					if event == nil {
						return told
					}
					told = append(append(told, string(event.Data)), texts(graphql.GetErrors(ctx))...)
				}
			}
			c := Config{Schema: contract, Resolvers: telling{}}
			got, want := run(NewPlannedSchema(c)), run(NewExecutableSchema(c))
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s %s\ngot  %q\nwant %q", userID, selection, got, want)
			}
		}
	}
}
