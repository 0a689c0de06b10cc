package gqlplan

import (
	"context"
	"io"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/jsonstring"
)

// Writer appends the values of a response, or of a part of it that is written concurrently
// with others. It must not be used concurrently.
type Writer struct {
	// Env is the argument of Append.
	Env any
	// Buf is the output.
	Buf []byte

	operation *graphql.OperationContext
	// bounds are those of the whole response, or nil; counted is the part of Buf that has
	// been counted.
	bounds  *Bounds
	counted int
	// arguments holds the coerced arguments of plain fields that depend on variables, by
	// slot.
	arguments []atomic.Pointer[graphql.FieldContext]
	// path is the path from the root to the current value; ctx is the context of the
	// resolver field that returned the value, which contains the first known steps.
	path  []step
	ctx   context.Context
	known int
}

// step is a field, or an element of a list if field is nil.
type step struct {
	field *Field
	index int
}

var writers = sync.Pool{New: func() any { return new(Writer) }}

// Append executes p and appends its data to dst; see Schema. Env is passed to root, which
// writes the value of one root field, and to all functions called by root.
func Append(ctx context.Context, p *Plan, env any, dst []byte, root func(*Writer, *Field, struct{}) bool) []byte {
	object := "Query"
	if p.Mutation {
		object = "Mutation"
	}
	w := writers.Get().(*Writer)
	w.Env, w.Buf, w.operation = env, dst, graphql.GetOperationContext(ctx)
	w.ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object})
	w.bounds, _ = ctx.Value(boundsKey{}).(*Bounds)
	w.counted = len(dst)
	if p.slots > 0 {
		w.arguments = make([]atomic.Pointer[graphql.FieldContext], p.slots)
	}
	field := root
	if p.describes {
		field = func(w *Writer, f *Field, none struct{}) bool {
			if f.describes != nil {
				return w.introspect(f)
			}
			return root(w, f, none)
		}
	}
	if !Object(w, p.root, struct{}{}, field) {
		w.Null()
	}
	w.count()
	dst, w.Buf = w.Buf, nil
	w.release()
	return dst
}

// release keeps the memory of a writer that is no longer used, unless rare large values have
// grown it.
func (w *Writer) release() {
	if cap(w.Buf) <= maxPooledBuffer {
		*w = Writer{Buf: w.Buf[:0], path: w.path[:0]}
		writers.Put(w)
	}
}

// context returns the context of the value after the first n steps of the path.
func (w *Writer) context(n int) context.Context {
	ctx := w.ctx
	for _, s := range w.path[w.known:n] {
		field := &graphql.FieldContext{Index: &s.index}
		if s.field != nil {
			field, _ = s.field.context(ctx, w.Env)
		}
		ctx = graphql.WithFieldContext(ctx, field)
	}
	return ctx
}

// Fail adds the error of the current field, whose value becomes null.
func (w *Writer) Fail(err error) bool {
	ctx := w.context(len(w.path))
	w.operation.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
	return false
}

// Missing adds an error for a null that the schema does not allow, unless the current value
// already has one.
func (w *Writer) Missing() bool {
	ctx := w.context(len(w.path))
	if !graphql.HasFieldError(ctx, graphql.GetFieldContext(ctx)) {
		graphql.AddErrorf(ctx, "the requested element is null which the schema does not allow")
	}
	return false
}

func (w *Writer) panicked(p any) {
	ctx := w.context(len(w.path))
	w.operation.Error(ctx, w.operation.Recover(ctx, p))
}

// Arguments returns a field context with the coerced arguments of a plain field, or nil if
// they are invalid.
func (w *Writer) Arguments(f *Field) *graphql.FieldContext {
	kept := &f.constant
	if f.slot > 0 {
		kept = &w.arguments[f.slot-1]
	}
	if fc := kept.Load(); fc != nil {
		return fc
	}
	fc, err := f.context(w.context(len(w.path)-1), w.Env)
	if err != nil {
		return nil
	}
	// Only the arguments are kept: everything else belongs to the request.
	fc = &graphql.FieldContext{Args: fc.Args}
	kept.Store(fc)
	return fc
}

// Null appends null.
func (w *Writer) Null() { w.Buf = append(w.Buf, "null"...) }

// Int appends a number and returns true, as do the methods below for their values.
func (w *Writer) Int(n int64) bool {
	w.Buf = strconv.AppendInt(w.Buf, n, 10)
	return true
}

// Bool appends true or false.
func (w *Writer) Bool(b bool) bool {
	w.Buf = strconv.AppendBool(w.Buf, b)
	return true
}

// String appends a JSON string.
func (w *Writer) String(s string) bool {
	w.Buf = jsonstring.Append(w.Buf, s)
	return true
}

// Append replaces Buf by buf, which is Buf followed by a value.
func (w *Writer) Append(buf []byte) bool {
	w.Buf = buf
	return true
}

// Marshal appends the output of m; required is set if it must not be null.
func (w *Writer) Marshal(m graphql.Marshaler, required bool) bool {
	if m == graphql.Null {
		return required && w.Missing()
	}
	m.MarshalGQL(w)
	return true
}

// Write appends p. It is for marshalers.
func (w *Writer) Write(p []byte) (int, error) {
	w.Buf = append(w.Buf, p...)
	return len(p), nil
}

// WriteString appends s. It is for marshalers.
func (w *Writer) WriteString(s string) (int, error) {
	w.Buf = append(w.Buf, s...)
	return len(s), nil
}

var _ io.StringWriter = (*Writer)(nil)
