package graph

import (
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/refusal"
)

const instantLayout = `"2006-01-02T15:04:05.000Z"`

type instant time.Time

func (t instant) MarshalGQL(w io.Writer) { _, _ = w.Write(AppendDateTime(nil, time.Time(t))) }

// MarshalDateTime writes an instant in UTC with three digits of fraction.
func MarshalDateTime(t time.Time) graphql.Marshaler { return instant(t) }

// AppendDateTime appends what MarshalDateTime writes.
func AppendDateTime(dst []byte, t time.Time) []byte { return t.UTC().AppendFormat(dst, instantLayout) }

// UnmarshalDateTime reads an instant in ISO 8601. The zone is required: without one the
// text names no instant.
func UnmarshalDateTime(v any) (time.Time, error) {
	if text, ok := v.(string); ok {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, refusal.New(refusal.BadInput, "INVALID_DATE_TIME", "DateTime must be a text like 2006-01-02T15:04:05.000Z")
}
