package operation

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/trace"
)

// trace begins the span of the operation. Its document and variables are not in it: they
// contain users' texts.
func (o *Operation) trace(ctx context.Context) (context.Context, *trace.Span) {
	ctx, span := o.executor.config.Tracer.Begin(ctx, trace.Internal, string(o.Kind()), o.plan.field)
	if span != nil {
		span.Set("graphql.operation.type", string(o.Kind()))
		if name := o.plan.definition.Name; name != "" {
			span.Set("graphql.operation.name", clip(name))
		}
		o.graphql.ResolverMiddleware = resolveTraced
	}
	return ctx, span
}

// resolveTraced resolves a field as a step of the trace, if it reads anything.
func resolveTraced(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || !field.IsResolver {
		return next(ctx)
	}
	ctx, span := trace.StartIfUsed(ctx, field.Object, field.Field.Name)
	defer span.End()
	value, err := next(ctx)
	if err != nil {
		span.Fail("failed")
	}
	return value, err
}

// endTrace ends the span of the operation.
func endTrace(span *trace.Span, errs gqlerror.List) {
	if span == nil {
		return
	}
	if len(errs) > 0 {
		span.Fail(failure(errs))
	}
	span.End()
}
