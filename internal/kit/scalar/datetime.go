// Package scalar has scalars common to the contracts of several systems: a gqlgen.yml names
// them as models.
package scalar

import (
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
)

// Written returns a marshaler of a value that add appends to a buffer.
func Written[T any](add func(dst []byte, v T) []byte, v T) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(add(nil, v)) })
}

// MarshalDateTime writes an instant in UTC with three fractional digits.
func MarshalDateTime(t time.Time) graphql.Marshaler { return Written(AppendDateTime, t) }

// AppendDateTime appends the output of MarshalDateTime.
func AppendDateTime(dst []byte, t time.Time) []byte {
	return append(stamp.Append(append(dst, '"'), t, stamp.Milli), '"')
}

// UnmarshalDateTime parses an instant in ISO 8601. The zone is required: without it, the
// text does not denote an instant.
func UnmarshalDateTime(v any) (time.Time, error) {
	if text, ok := v.(string); ok {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, refusal.New(refusal.BadInput, "INVALID_DATE_TIME", "DateTime must be a text like "+stamp.Milli)
}
