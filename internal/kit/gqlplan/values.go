package gqlplan

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Functions that write a value return false for a null without writing anything, because
// the caller knows whether null is allowed.

// Object writes the selected fields of an object; field writes the value of one.
func Object[T any](w *Writer, s *Selection, object T, field func(*Writer, *Field, T) bool) bool {
	s.ready()
	mark, depth := len(w.Buf), len(w.path)
	w.Buf = append(w.Buf, '{')
	w.path = append(w.path, step{})
	whole := true
	var parts []*part
	if s.concurrent {
		parts = resolveAside(w, s, object, field)
	}
	for next := 0; next < len(s.fields); {
		next = fieldsFrom(w, s, next, object, field, parts, &whole)
	}
	w.path = w.path[:depth]
	if !whole {
		w.Buf = w.Buf[:mark]
		return false
	}
	w.Buf = append(w.Buf, '}')
	return true
}

// fieldsFrom writes the fields of an object, starting with number next. If one panics,
// which makes that field null, it returns the position to continue at.
func fieldsFrom[T any](w *Writer, s *Selection, next int, object T, field func(*Writer, *Field, T) bool, parts []*part, whole *bool) (then int) {
	depth, ctx, known := len(w.path), w.ctx, w.known
	mark := len(w.Buf)
	defer func() {
		if p := recover(); p != nil {
			w.path, w.ctx, w.known = w.path[:depth], ctx, known
			w.panicked(p)
			w.void(mark, &s.fields[then], whole)
			then++
		}
	}()
	for then = next; then < len(s.fields); then++ {
		if w.ended() {
			*whole = false
			return len(s.fields)
		}
		f := &s.fields[then]
		w.Buf = append(w.Buf, f.key...)
		mark = len(w.Buf)
		w.path[depth-1].field = f
		switch {
		case parts != nil && parts[then] != nil:
			if !parts[then].join(w) {
				w.void(mark, f, whole)
			}
		case !field(w, f, object):
			w.void(mark, f, whole)
		}
	}
	return then
}

// void makes the value of a field null.
func (w *Writer) void(mark int, f *Field, whole *bool) {
	w.Buf = w.Buf[:mark]
	w.Null()
	if f.required {
		*whole = false
	}
}

// List writes a list of objects or enums; required is set if elements must not be null.
func List[E any](w *Writer, f *Field, list []E, required bool, element func(*Writer, *Field, E) bool) bool {
	if f.Selection != nil && f.Selection.resolves && len(list) > 1 {
		return listAside(w, f, list, required, element)
	}
	depth := len(w.path)
	w.path = append(w.path, step{})
	mark, whole := len(w.Buf), true
	w.Buf = append(w.Buf, '[')
	for i := range list {
		if i > 0 {
			w.Buf = append(w.Buf, ',')
		}
		w.path[depth].index = i
		if !element(w, f, list[i]) {
			w.Null()
			whole = whole && !required
		}
	}
	w.path = w.path[:depth]
	return w.endList(mark, whole)
}

// Scalars writes a list of scalars. As in gqlgen, errors of elements carry the path of
// the list.
func Scalars[E any](w *Writer, f *Field, list []E, required bool, element func(*Writer, *Field, E) bool) bool {
	mark, whole := len(w.Buf), true
	w.Buf = append(w.Buf, '[')
	for i := range list {
		if i > 0 {
			w.Buf = append(w.Buf, ',')
		}
		if !element(w, f, list[i]) {
			w.Null()
			whole = whole && !required
		}
	}
	return w.endList(mark, whole)
}

func (w *Writer) endList(mark int, whole bool) bool {
	if !whole {
		w.Buf = w.Buf[:mark]
		return false
	}
	w.Buf = append(w.Buf, ']')
	return true
}

// Resolver describes a field that is not plain.
type Resolver[T any] struct {
	// Resolve returns the value, a T.
	Resolve graphql.Resolver
	// Around applies directives to Resolve; it may be nil.
	Around func(context.Context, graphql.Resolver) graphql.Resolver
	// Write writes the value.
	Write func(*Writer, *Field, T) bool
}

// Resolve writes the result of a resolver.
func Resolve[T any](w *Writer, f *Field, r Resolver[T]) bool {
	return w.resolved(resolve(w, f, w.context(len(w.path)-1), &r))
}

// ResolveRoot is Resolve for the fields of Query and Mutation.
func ResolveRoot[T any](w *Writer, f *Field, r Resolver[T]) bool {
	ctx := graphql.WithRootFieldContext(w.ctx, &graphql.RootFieldContext{Object: f.collected.Name, Field: f.collected})
	return w.resolved(w.operation.RootResolverMiddleware(ctx, func(ctx context.Context) graphql.Marshaler {
		return resolve(w, f, ctx, &r)
	}))
}

// written represents a value that is in the buffer.
type written struct{}

func (written) MarshalGQL(io.Writer) {}

// resolve runs the resolver with gqlgen's functions, and writes the value where gqlgen
// would create a marshaler.
func resolve[T any](w *Writer, f *Field, ctx context.Context, r *Resolver[T]) graphql.Marshaler {
	mark, depth, outer, known := len(w.Buf), len(w.path), w.ctx, w.known
	result := graphql.ResolveField(ctx, w.operation, f.collected, f.contextual(w.Env), r.Resolve, r.Around,
		func(ctx context.Context, _ ast.SelectionSet, value T) graphql.Marshaler {
			w.ctx, w.known = ctx, depth
			if !r.Write(w, f, value) {
				return graphql.Null
			}
			return written{}
		}, true, f.required)
	w.path, w.ctx, w.known = w.path[:depth], outer, known
	if result != graphql.Marshaler(written{}) {
		w.Buf = w.Buf[:mark]
	}
	return result
}

// resolved reports whether the value has been written. A directive may have replaced it
// with a marshaler.
func (w *Writer) resolved(result graphql.Marshaler) bool {
	switch result {
	case written{}:
		return true
	case graphql.Null, graphql.RequiredNull:
		return false
	}
	result.MarshalGQL(w)
	return true
}
