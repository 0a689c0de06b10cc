package operation

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/trace"
	"stoa/internal/server/wire"
)

// Result is the result of an event: Data is JSON, and "null" if an error reached the root.
type Result struct {
	Data   []byte
	Errors gqlerror.List
}

// Append executes a query or mutation and appends its response to dst.
func (o *Operation) Append(ctx context.Context, dst []byte) []byte {
	whole, _, turn := o.AppendInTurn(ctx, dst)
	turn.End()
	return whole
}

// AppendInTurn is Append for a response that is not sent at once; it also returns the errors
// of the response. The caller must end its turn: until then, it counts as one of the
// operations that the viewer may run concurrently, so that responses that nobody reads do not
// accumulate.
func (o *Operation) AppendInTurn(ctx context.Context, dst []byte) (whole []byte, errs gqlerror.List, turn Turn) {
	bounded := limit(ctx, o.limits.Duration)
	defer bounded.end()
	o.executor.charge(bounded, o.price)
	granted := o.executor.turn(bounded, o.share)
	defer func() {
		if turn == nil { // panicking
			granted.End()
		}
	}()
	whole, errs = o.execute(ctx, bounded, dst)
	granted.Lighten()
	return whole, errs, granted
}

func (o *Operation) execute(ctx, bounded context.Context, dst []byte) (whole []byte, errs gqlerror.List) {
	traced, span := o.trace(bounded)
	defer func() { endTrace(span, errs) }()
	counted, calls := trace.CountCalls(traced, o.limits.readBytes(ctx))
	answered, bounds := gqlplan.WithBounds(counted, o.limits.AnswerBytes)
	start := len(dst)
	dst, errs = o.appendData(o.scope(answered), append(dst, `{"data":`...))
	whole = dst
	if len(errs) > 0 {
		whole = wire.AppendErrors(append(dst, `,"errors":`...), errs)
	}
	whole = append(whole, '}')
	bounds.Count(len(whole) - len(dst)) // the errors: each field may have one
	if err := o.unbounded(bounds); err != nil {
		errs = gqlerror.List{err}
		whole = wire.AppendResult(dst[:start:start], wire.Null, errs)
	}
	o.observe(answered, errs, calls)
	return whole, errs
}

// unbounded returns the only error of an abandoned response.
func (o *Operation) unbounded(b *gqlplan.Bounds) *gqlerror.Error {
	switch err := b.Err(); {
	case errors.Is(err, gqlplan.ErrTooLarge):
		return wire.NewError(clientError, "ANSWER_TOO_LARGE", fmt.Sprintf(
			"%s: The answer has more than %d bytes: ask for fewer fields or shorter lists", clientError, o.limits.AnswerBytes))
	case errors.Is(err, context.DeadlineExceeded):
		return wire.NewError(serverError, "TIMEOUT", serverError+": Execution timed out")
	case err != nil:
		return wire.NewError(serverError, "CANCELLED", serverError+": Execution was cancelled")
	}
	return nil
}

// appendData executes by a kept plan if there is one.
func (o *Operation) appendData(ctx context.Context, dst []byte) ([]byte, gqlerror.List) {
	if o.plan.direct != nil {
		if p := o.plan.direct.Plan(o.graphql.Variables); p != nil {
			return o.planned(ctx, p, dst)
		}
	}
	result := o.collect(ctx, o.executor.schema.Exec(ctx))
	return append(dst, result.Data...), result.Errors
}

// planned recovers panics of plans outside fields, which handle their own.
func (o *Operation) planned(ctx context.Context, p *gqlplan.Plan, dst []byte) (data []byte, errs gqlerror.List) {
	defer func() {
		if p := recover(); p != nil {
			graphql.AddError(ctx, o.executor.recovered(ctx, p))
			data, errs = append(dst, wire.Null...), graphql.GetErrors(ctx)
		}
	}()
	return o.executor.planner.AppendPlan(ctx, p, dst), graphql.GetErrors(ctx)
}

// scope returns the context of one result.
func (o *Operation) scope(ctx context.Context) context.Context {
	ctx = o.executor.context(graphql.WithOperationContext(ctx, &o.graphql))
	return graphql.WithResponseContext(ctx, o.executor.present, o.executor.recovered)
}

// collect returns one result; its Data is nil at the end of a stream. The schema recovers
// panics of resolvers, so a panic here was caused by writing a value.
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

// Stream is a running subscription. It must be closed, and must not be used concurrently.
type Stream struct {
	operation *Operation
	ctx       context.Context
	cancel    context.CancelFunc
	next      graphql.ResponseHandler
	field     *graphql.FieldContext
	events    int
	// failure ended the subscription. It is set before its channel is closed.
	failure error
}

// Subscribe starts a subscription. An error means that it has not started.
func (o *Operation) Subscribe(ctx context.Context) (*Stream, gqlerror.List) {
	s := &Stream{operation: o}
	s.ctx, s.cancel = context.WithCancel(bus.WithFailure(ctx, func(err error) { s.failure = err }))
	start := o.scope(s.ctx)
	next, errs := o.subscribe(start)
	if errs != nil {
		s.cancel()
		o.observe(start, errs, nil)
		return nil, errs
	}
	o.executor.metrics.open.WithLabelValues(o.plan.field).Inc()
	s.next, s.field = next, o.rootField()
	return s, nil
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

// rootField returns the root of error paths in events, which otherwise lack the
// subscription's own field. Its arguments have been accepted.
func (o *Operation) rootField() *graphql.FieldContext {
	fields := graphql.CollectFields(&o.graphql, o.plan.definition.SelectionSet, nil)
	return &graphql.FieldContext{Object: "Subscription", Field: fields[0], Args: map[string]any{}}
}

// Next waits for the next event. It returns false once the subscription has ended, also
// because of Close or its context. The result's Data is valid until the next call.
func (s *Stream) Next() (Result, bool) {
	ctx := graphql.WithFieldContext(s.operation.scope(s.ctx), s.field)
	result := s.operation.collect(ctx, s.next)
	if result.Data == nil {
		return Result{}, false
	}
	s.events++
	s.operation.executor.countErrors(result.Errors)
	s.operation.executor.metrics.events.WithLabelValues(s.operation.plan.field).Inc()
	return result, true
}

// Failed returns the error that ended the subscription, or nil, once Next has returned
// false.
func (s *Stream) Failed() gqlerror.List {
	if s.failure == nil || s.ctx.Err() != nil {
		return nil
	}
	ctx := graphql.WithFieldContext(s.operation.scope(s.ctx), s.field)
	errs := gqlerror.List{s.operation.executor.present(ctx, s.failure)}
	s.operation.executor.countErrors(errs)
	return errs
}

// Close ends the subscription and releases its resources.
func (s *Stream) Close() {
	s.cancel()
	s.operation.executor.metrics.open.WithLabelValues(s.operation.plan.field).Dec()
	s.operation.observeEnd(s.ctx, s.events)
}
