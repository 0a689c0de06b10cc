package operation

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/wire"
)

// Limits limit one operation. All must be positive.
type Limits struct {
	// Tokens is the maximum number of tokens in a document.
	Tokens int
	// Depth is the maximum nesting of fields.
	Depth int
	// Complexity is the maximum cost, counting fields of a list as often as it may have
	// items.
	Complexity int
	// AnonymousComplexity is the maximum price for anonymous callers. A price is a cost
	// that includes the work behind a field: a search, a page, a lookup.
	AnonymousComplexity int
	// Duration is the timeout of queries and mutations; subscriptions have none.
	Duration time.Duration
	// AnswerBytes is the maximum size of the response to a query or mutation, ReadBytes
	// that of the data read from the store for it.
	AnswerBytes, ReadBytes int64
}

// Or replaces limits that are zero by others.
func (l Limits) Or(others Limits) Limits {
	return Limits{
		Tokens:     cmp.Or(l.Tokens, others.Tokens),
		Depth:      cmp.Or(l.Depth, others.Depth),
		Complexity: cmp.Or(l.Complexity, others.Complexity),
		Duration:   cmp.Or(l.Duration, others.Duration),

		AnonymousComplexity: cmp.Or(l.AnonymousComplexity, others.AnonymousComplexity),

		AnswerBytes: cmp.Or(l.AnswerBytes, others.AnswerBytes),
		ReadBytes:   cmp.Or(l.ReadBytes, others.ReadBytes),
	}
}

// anonymousReadBytes is the maximum number of bytes read for an anonymous caller. Decoding
// stored data takes longer than the rest of an operation.
const anonymousReadBytes = 4 << 20

// readBytes returns the maximum number of bytes that an operation of the viewer may read
// from the store.
func (l Limits) readBytes(ctx context.Context) int64 {
	if viewer.From(ctx).Anonymous {
		return min(l.ReadBytes, anonymousReadBytes)
	}
	return l.ReadBytes
}

// Config configures an Executor. Log, Registry and Schema are required.
type Config struct {
	Schema graphql.ExecutableSchema
	Limits Limits
	// Introspection enables introspection and suggestions of names in error messages.
	Introspection bool
	// Admit refuses viewers to whom nothing is shown, before their document is looked at. It
	// may be nil.
	Admit func(context.Context) error
	// Context adds values with the lifetime of one query, mutation or event, such as
	// loaders. It may be nil.
	Context func(context.Context) context.Context
	// Turn waits until the viewer may run another query or mutation. One with a share of 1 is
	// so expensive that it should run alone. Turn may be nil.
	Turn func(ctx context.Context, share float64) Turn
	// Spend counts more calls of the viewer, for a request that costs as much as several. It
	// may be nil.
	Spend func(ctx context.Context, calls int)
	// Scalars validate values of custom scalars, by name, before anything is executed.
	// Values of other scalars are validated with their field.
	Scalars map[string]func(value any) error
	// Prices are additional prices of fields for anonymous callers, by name:
	// "Query.searchUsers".
	Prices   map[string]int
	Log      *slog.Logger
	Registry prometheus.Registerer
	// Tracer traces queries and mutations; nil for none.
	Tracer *trace.Tracer
}

// Turn is the permission to run an operation.
type Turn interface {
	// Lighten is called when the operation has been executed, and its answer is yet to be
	// sent.
	Lighten()
	// End ends the turn.
	End()
}

// Unlimited is the turn of a viewer who may run anything.
type Unlimited struct{}

// Lighten implements [Turn].
func (Unlimited) Lighten() {}

// End implements [Turn].
func (Unlimited) End() {}

// Executor prepares operations of one schema. It is safe for concurrent use.
type Executor struct {
	schema     graphql.ExecutableSchema
	planner    gqlplan.Schema // the schema, if it has code for plans
	config     Config
	within     atomic.Pointer[terms]
	introspect bool
	admit      func(context.Context) error
	context    func(context.Context) context.Context
	turn       func(context.Context, float64) Turn
	spend      func(context.Context, int)
	scalars    scalars
	log        *slog.Logger
	metrics    *metrics
}

// terms are what the limits determine: the documents are those that were valid within them.
type terms struct {
	Limits
	documents *documents
}

// SetLimits changes the limits for operations that are prepared from now on.
func (e *Executor) SetLimits(l Limits) {
	if now := e.within.Load(); now != nil && now.Limits == l {
		return
	}
	c := e.config
	e.within.Store(&terms{l, newDocuments(c.Schema, l, c.Introspection, c.Scalars, c.Prices, e.metrics, e.log)})
}

// New returns an Executor. It panics if its metrics are already registered, so each
// Executor of a process needs its own registry.
func New(c Config) *Executor {
	e := &Executor{
		schema:     c.Schema,
		config:     c,
		introspect: c.Introspection,
		admit:      c.Admit,
		context:    c.Context,
		turn:       c.Turn,
		spend:      c.Spend,
		scalars:    c.Scalars,
		log:        c.Log,
		metrics:    newMetrics(c.Registry),
	}
	e.planner, _ = c.Schema.(gqlplan.Schema)
	e.SetLimits(c.Limits)
	if e.context == nil {
		e.context = func(ctx context.Context) context.Context { return ctx }
	}
	if e.turn == nil {
		e.turn = func(context.Context, float64) Turn { return Unlimited{} }
	}
	if e.spend == nil {
		e.spend = func(context.Context, int) {}
	}
	return e
}

// Operation is a validated request that can be executed once.
type Operation struct {
	executor *Executor
	limits   *terms
	plan     *plan
	// share is the part of all that its caller may run at once.
	share   float64
	price   int
	graphql graphql.OperationContext
	began   time.Time
}

// Prepare validates a request. An error means that nothing was executed.
func (e *Executor) Prepare(ctx context.Context, r *wire.Request) (op *Operation, errs gqlerror.List) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			errs = gqlerror.List{e.present(ctx, e.recovered(ctx, p))}
		}
		if errs != nil {
			e.observeRefusal(ctx, r, errs, time.Since(began))
		}
	}()
	if e.admit != nil {
		if err := e.admit(ctx); err != nil {
			return nil, gqlerror.List{e.present(ctx, err)}
		}
	}
	terms := e.within.Load()
	document, parsed, errs := terms.documents.find(r)
	e.charge(ctx, parsed/bytesParsed)
	if errs != nil {
		return nil, errs
	}
	plan, missing := document.plan(r.OperationName)
	if missing != nil {
		return nil, gqlerror.List{missing}
	}
	given, err := document.numbers.defaults(plan.definition, r.Variables)
	if err != nil {
		return nil, gqlerror.List{variableError(err, plan.definition)}
	}
	variables, err := e.variables(plan.definition, given)
	if err != nil {
		return nil, gqlerror.List{variableError(err, plan.definition)}
	}
	variables = document.numbers.with(variables)
	total := plan.cost.total(variables)
	if total > terms.Complexity {
		return nil, tooDear("", total, terms.Complexity)
	}
	price := plan.price.total(variables)
	if viewer.From(ctx).Anonymous && price > terms.AnonymousComplexity {
		return nil, tooDear(" without an account", price, terms.AnonymousComplexity)
	}
	return &Operation{
		executor: e,
		limits:   terms,
		plan:     plan,
		share:    min(1, max(float64(total)/float64(terms.Complexity), float64(price)/alonePrice)),
		price:    price,
		began:    began,
		graphql: graphql.OperationContext{
			RawQuery:               r.Query,
			Variables:              variables,
			OperationName:          r.OperationName,
			Doc:                    document.ast,
			Operation:              plan.definition,
			DisableIntrospection:   !e.introspect,
			RecoverFunc:            e.recovered,
			ResolverMiddleware:     resolve,
			RootResolverMiddleware: resolveRoot,
			Stats:                  graphql.Stats{OperationStart: began},
		},
	}, nil
}

// charge counts what costs a price as so many calls.
func (e *Executor) charge(ctx context.Context, price int) {
	if calls := price / callPrice; calls > 0 {
		e.spend(ctx, calls)
	}
}

func tooDear(whom string, cost, most int) gqlerror.List {
	return gqlerror.List{wire.NewError(invalid, "COMPLEXITY_LIMIT_EXCEEDED", fmt.Sprintf(
		"Validation error of type MaxComplexity: the operation costs %d%s, at most %d are allowed: ask for fewer fields or shorter lists", cost, whom, most))}
}

func resolve(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) }

func resolveRoot(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) }

// Every reports whether ok returns true for each root field, given the name of its type.
func (o *Operation) Every(ok func(object, field string) bool) bool {
	return everyField(o.plan.definition.SelectionSet, ok)
}

func everyField(selections ast.SelectionSet, ok func(object, field string) bool) bool {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			if !ok(s.ObjectDefinition.Name, s.Name) {
				return false
			}
		case *ast.InlineFragment:
			if !everyField(s.SelectionSet, ok) {
				return false
			}
		case *ast.FragmentSpread:
			if !everyField(s.Definition.SelectionSet, ok) {
				return false
			}
		}
	}
	return true
}

// Declared returns the variables that the operation declares, of those given with its request.
// Others have no effect.
func (o *Operation) Declared(given map[string]any) map[string]any {
	declared := make(map[string]any, len(given))
	for _, v := range o.plan.definition.VariableDefinitions {
		if value, ok := given[v.Variable]; ok {
			declared[v.Variable] = value
		}
	}
	return declared
}

// Kind returns whether the operation is a query, a mutation or a subscription.
func (o *Operation) Kind() ast.Operation { return o.plan.definition.Operation }
