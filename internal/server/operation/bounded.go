package operation

import (
	"bytes"
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
)

// bounded limits the size of root field values, which gqlgen's executor would write without
// limit.
type bounded struct {
	bounds *gqlplan.Bounds
}

// resolve writes the value of a root field immediately, so that an abandoned value costs no
// more.
func (b *bounded) resolve(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	value := next(ctx)
	if value == graphql.Null || value == nil {
		return value
	}
	w := &boundedWriter{bounds: b.bounds}
	if !w.write(value) {
		return graphql.Null
	}
	return written(w.Bytes())
}

// written is a value that is already JSON.
type written []byte

func (v written) MarshalGQL(w io.Writer) { w.Write(v) }

// boundedWriter is a buffer of limited size.
type boundedWriter struct {
	bytes.Buffer
	bounds  *gqlplan.Bounds
	counted int
}

// tooMuch is the panic value that aborts the writing of a value, which cannot return
// errors.
type tooMuch struct{}

func (w *boundedWriter) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	w.count()
	return n, err
}

func (w *boundedWriter) WriteString(s string) (int, error) {
	n, err := w.Buffer.WriteString(s)
	w.count()
	return n, err
}

func (w *boundedWriter) count() {
	const every = 16 << 10
	if n := w.Len() - w.counted; n >= every {
		w.counted = w.Len()
		if !w.bounds.Count(n) || !w.bounds.InTime() {
			panic(tooMuch{})
		}
	}
}

// write reports whether the value was written completely.
func (w *boundedWriter) write(value graphql.Marshaler) (whole bool) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case tooMuch{}:
			whole = false
		default:
			panic(p)
		}
	}()
	value.MarshalGQL(w)
	return w.bounds.Count(w.Len() - w.counted)
}
