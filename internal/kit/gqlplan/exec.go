package gqlplan

import (
	"bytes"
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan/introspect"
)

// Exec executes the operation of ctx, as graphql.ExecutableSchema describes it. Its plan serves
// this request only, and selections are compiled when data first needs them: fragments that
// spread each other multiply the selections of a short text.
func Exec(ctx context.Context, s Schema) graphql.ResponseHandler {
	operation := graphql.GetOperationContext(ctx)
	p := compileForOne(s, operation)
	if operation.Operation.Operation == ast.Subscription {
		next := s.StreamPlan(ctx, p)
		var data bytes.Buffer
		return func(ctx context.Context) *graphql.Response {
			if next == nil {
				return nil
			}
			event := next(ctx)
			if event == nil {
				return nil
			}
			data.Reset()
			event.MarshalGQL(&data)
			return &graphql.Response{Data: data.Bytes()}
		}
	}
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		return &graphql.Response{Data: s.AppendPlan(ctx, p, nil)}
	}
}

// Events returns the next event of a subscription, or nil once it has ended.
type Events = func(context.Context) graphql.Marshaler

// Stream starts the only root field of a subscription.
func Stream(ctx context.Context, p *Plan, env any, root func(context.Context, any, *Field) Events) Events {
	p.root.ready()
	if len(p.root.fields) != 1 {
		graphql.AddErrorf(ctx, "must subscribe to exactly one stream")
		return nil
	}
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: p.root.fields[0].object.Name})
	return root(ctx, env, &p.root.fields[0])
}

// ResolveStream starts a field of Subscription.
func ResolveStream[T any](ctx context.Context, env any, f *Field, r Resolver[T]) Events {
	return graphql.ResolveFieldStream(ctx, graphql.GetOperationContext(ctx), f.collected, f.contextual(env), r.Resolve, r.Around,
		func(ctx context.Context, _ ast.SelectionSet, value T) graphql.Marshaler {
			return graphql.WriterFunc(func(to io.Writer) {
				w := writers.Get().(*Writer)
				w.Env, w.Buf, w.operation, w.ctx = env, w.Buf[:0], graphql.GetOperationContext(ctx), ctx
				if !r.Write(w, f, value) {
					w.Null()
				}
				to.Write(w.Buf)
				w.release()
			})
		}, true, f.required)
}

// introspect writes a field that describes the schema.
func (w *Writer) introspect(f *Field) (whole bool) {
	ctx := graphql.WithRootFieldContext(w.ctx, &graphql.RootFieldContext{Object: f.collected.Name, Field: f.collected})
	mark := len(w.Buf)
	result := w.operation.RootResolverMiddleware(ctx, func(ctx context.Context) graphql.Marshaler {
		return introspect.Field(ctx, f.describes, f.collected)
	})
	if result == graphql.Null || result == graphql.RequiredNull {
		return false
	}
	defer func() {
		switch p := recover(); p {
		case nil:
		case tooMuch{}:
			w.Buf, whole = w.Buf[:mark], false
		default:
			panic(p)
		}
	}()
	result.MarshalGQL(bounded{w})
	return true
}

// bounded is a Writer for values whose marshalers write any amount: it panics once writing
// must stop.
type bounded struct{ *Writer }

// tooMuch is the panic value that aborts the writing of a value, which cannot return errors.
type tooMuch struct{}

func (b bounded) Write(p []byte) (int, error) {
	if b.ended() {
		panic(tooMuch{})
	}
	return b.Writer.Write(p)
}

func (b bounded) WriteString(s string) (int, error) { return b.Write([]byte(s)) }

var _ io.StringWriter = bounded{}
