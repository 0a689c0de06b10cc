package operation

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/server/wire"
)

// Limits bound what one operation may ask for. All must be positive.
type Limits struct {
	// Tokens of a document, counted while parsing.
	Tokens int
	// Depth is how far fields may nest.
	Depth int
	// Complexity is the highest cost: fields, those of a list as often as it may hold.
	Complexity int
	// Duration of a query or mutation; subscriptions may last.
	Duration time.Duration
	// AnswerBytes is the size of the answer to a query or mutation, ReadBytes of what is
	// read from the store for it.
	AnswerBytes, ReadBytes int64
}

// Or takes the limits that are zero from others.
func (l Limits) Or(others Limits) Limits {
	return Limits{
		Tokens:     cmp.Or(l.Tokens, others.Tokens),
		Depth:      cmp.Or(l.Depth, others.Depth),
		Complexity: cmp.Or(l.Complexity, others.Complexity),
		Duration:   cmp.Or(l.Duration, others.Duration),

		AnswerBytes: cmp.Or(l.AnswerBytes, others.AnswerBytes),
		ReadBytes:   cmp.Or(l.ReadBytes, others.ReadBytes),
	}
}

// Config is what an Executor is made of. Log, Registry and Schema are required.
type Config struct {
	Schema graphql.ExecutableSchema
	Limits Limits
	// Introspection lets clients read the schema and suggests names in messages.
	Introspection bool
	// Context adds what lives as long as one query, mutation or event, such as
	// loaders. It may be nil.
	Context func(context.Context) context.Context
	// Turn waits until one more query or mutation of the viewer, of a cost up to
	// Limits.Complexity, may run, and returns what is to be called when it has. It may be
	// nil.
	Turn func(ctx context.Context, cost int) (end func())
	// Scalars refuse values of custom scalars, by the names of these, before anything is
	// executed. Those that are missing are refused with their field.
	Scalars  map[string]func(value any) error
	Log      *slog.Logger
	Registry prometheus.Registerer
}

// Executor prepares operations of one schema. It is safe for concurrent use.
type Executor struct {
	schema     graphql.ExecutableSchema
	planner    gqlplan.Schema // the schema, if it has code for plans
	documents  *documents
	limits     Limits
	introspect bool
	context    func(context.Context) context.Context
	turn       func(context.Context, int) func()
	scalars    scalars
	log        *slog.Logger
	metrics    *metrics
}

// New makes an Executor. It panics when its metrics are registered already, so
// every Executor of a process needs a registry of its own.
func New(c Config) *Executor {
	e := &Executor{
		schema:     c.Schema,
		limits:     c.Limits,
		introspect: c.Introspection,
		context:    c.Context,
		turn:       c.Turn,
		scalars:    c.Scalars,
		log:        c.Log,
		metrics:    newMetrics(c.Registry),
	}
	e.planner, _ = c.Schema.(gqlplan.Schema)
	e.documents = newDocuments(c.Schema, c.Limits, c.Introspection, c.Scalars, e.metrics, e.log.Handler())
	if e.context == nil {
		e.context = func(ctx context.Context) context.Context { return ctx }
	}
	if e.turn == nil {
		e.turn = func(context.Context, int) func() { return func() {} }
	}
	return e
}

// Operation is a checked request that is ready to run once.
type Operation struct {
	executor *Executor
	plan     *plan
	cost     int
	graphql  graphql.OperationContext
	began    time.Time
}

// Prepare checks a request. Its errors mean that nothing was executed.
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
	document, errs := e.documents.find(r)
	if errs != nil {
		return nil, errs
	}
	plan, missing := document.plan(r.OperationName)
	if missing != nil {
		return nil, gqlerror.List{missing}
	}
	variables, err := e.variables(plan.definition, r.Variables)
	if err != nil {
		return nil, gqlerror.List{variableError(err, plan.definition)}
	}
	total := plan.cost.total(variables)
	if total > e.limits.Complexity {
		return nil, gqlerror.List{wire.NewError(invalid, "COMPLEXITY_LIMIT_EXCEEDED", fmt.Sprintf(
			"Validation error of type MaxComplexity: the operation costs %d, at most %d are allowed: ask for fewer fields or shorter lists",
			total, e.limits.Complexity))}
	}
	return &Operation{
		executor: e,
		plan:     plan,
		cost:     total,
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

func resolve(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) }

func resolveRoot(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) }

// Every reports whether ok holds for each root field, given with the name of its type.
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

// Kind tells queries, mutations and subscriptions apart.
func (o *Operation) Kind() ast.Operation { return o.plan.definition.Operation }
