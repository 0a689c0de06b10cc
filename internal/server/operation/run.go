package operation

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/trace"
	"stoa/internal/server/wire"
)

// Result is what an event gave: Data is JSON, and "null" when an error reached the
// root.
type Result struct {
	Data   []byte
	Errors gqlerror.List
}

// Append executes a query or mutation and appends its answer to dst.
func (o *Operation) Append(ctx context.Context, dst []byte) []byte {
	bounded := limit(ctx, o.executor.limits.Duration)
	defer bounded.end()
	counted, calls := trace.CountCalls(bounded)
	dst, errs := o.appendData(o.scope(counted), append(dst, `{"data":`...))
	o.observe(ctx, errs, calls)
	if len(errs) > 0 {
		dst = wire.AppendErrors(append(dst, `,"errors":`...), errs)
	}
	return append(dst, '}')
}

// appendData executes by a plan if there is one.
func (o *Operation) appendData(ctx context.Context, dst []byte) ([]byte, gqlerror.List) {
	if o.plan.direct == nil {
		return o.executed(ctx, dst)
	}
	p := o.plan.direct.Plan(o.graphql.Variables)
	if p == nil {
		return o.executed(ctx, dst)
	}
	return o.planned(ctx, p, dst)
}

func (o *Operation) executed(ctx context.Context, dst []byte) ([]byte, gqlerror.List) {
	result := o.collect(ctx, o.executor.schema.Exec(ctx))
	return append(dst, result.Data...), result.Errors
}

// planned guards what plans do outside of fields, whose panics are theirs.
func (o *Operation) planned(ctx context.Context, p *gqlplan.Plan, dst []byte) (data []byte, errs gqlerror.List) {
	defer func() {
		if p := recover(); p != nil {
			graphql.AddError(ctx, o.executor.recovered(ctx, p))
			data, errs = append(dst, wire.Null...), graphql.GetErrors(ctx)
		}
	}()
	return o.executor.planner.AppendPlan(ctx, p, dst), graphql.GetErrors(ctx)
}

// scope is the context of one result.
func (o *Operation) scope(ctx context.Context) context.Context {
	ctx = graphql.WithOperationContext(o.executor.context(ctx), &o.graphql)
	return graphql.WithResponseContext(ctx, o.executor.present, o.executor.recovered)
}

// collect takes one result; its Data is nil at the end of a stream. Resolvers are
// guarded by the schema itself, so a panic that arrives here comes from writing a
// value.
func (o *Operation) collect(ctx context.Context, next graphql.ResponseHandler) (result Result) {
	defer func() {
		if p := recover(); p != nil {
			graphql.AddError(ctx, o.executor.recovered(ctx, p))
			result = Result{Data: wire.Null, Errors: graphql.GetErrors(ctx)}
		}
	}()
	response := next(ctx)
	if response == nil {
		return Result{}
	}
	errs := graphql.GetErrors(ctx)
	if response.Errors != nil {
		errs = append(response.Errors, errs...)
	}
	if response.Data == nil {
		return Result{Data: wire.Null, Errors: errs}
	}
	return Result{Data: response.Data, Errors: errs}
}

// Stream is a subscription that has begun. It must be closed, and only one
// goroutine may use it.
type Stream struct {
	operation *Operation
	ctx       context.Context
	cancel    context.CancelFunc
	next      graphql.ResponseHandler
	field     *graphql.FieldContext
	events    int
}

// Subscribe starts a subscription. Its errors mean that it never began: no event
// will come.
func (o *Operation) Subscribe(ctx context.Context) (*Stream, gqlerror.List) {
	ctx, cancel := context.WithCancel(ctx)
	start := o.scope(ctx)
	next, errs := o.subscribe(start)
	if errs != nil {
		cancel()
		o.observe(start, errs, nil)
		return nil, errs
	}
	o.executor.measures.open.WithLabelValues(o.plan.field).Inc()
	return &Stream{operation: o, ctx: ctx, cancel: cancel, next: next, field: o.rootField()}, nil
}

func (o *Operation) subscribe(ctx context.Context) (next graphql.ResponseHandler, errs gqlerror.List) {
	defer func() {
		if p := recover(); p != nil {
			graphql.AddError(ctx, o.executor.recovered(ctx, p))
			errs = graphql.GetErrors(ctx)
		}
	}()
	next = o.executor.schema.Exec(ctx)
	return next, graphql.GetErrors(ctx)
}

// rootField starts the paths of errors in events, which would lack the
// subscription's own field otherwise.
func (o *Operation) rootField() *graphql.FieldContext {
	fields := graphql.CollectFields(&o.graphql, o.plan.definition.SelectionSet, nil)
	return &graphql.FieldContext{Object: "Subscription", Field: fields[0]}
}

// Next waits for the next event. It reports false once the subscription is over,
// which Close or the end of its context bring about as well. The result's Data is
// valid until the next call.
func (s *Stream) Next() (Result, bool) {
	ctx := graphql.WithFieldContext(s.operation.scope(s.ctx), s.field)
	result := s.operation.collect(ctx, s.next)
	if result.Data == nil {
		return Result{}, false
	}
	s.events++
	s.operation.executor.countErrors(result.Errors)
	s.operation.executor.measures.events.WithLabelValues(s.operation.plan.field).Inc()
	return result, true
}

// Close ends the subscription and lets go of what it holds.
func (s *Stream) Close() {
	s.cancel()
	s.operation.executor.measures.open.WithLabelValues(s.operation.plan.field).Dec()
	s.operation.observeEnd(s.ctx, s.events)
}
