package graph

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/refusal"
	"stoa/systems/pantry"
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

type number pantry.Decimal

func (n number) MarshalGQL(w io.Writer) { _, _ = w.Write(AppendDecimal(nil, pantry.Decimal(n))) }

// MarshalDecimal writes a number.
func MarshalDecimal(d pantry.Decimal) graphql.Marshaler { return number(d) }

// AppendDecimal appends what MarshalDecimal writes.
func AppendDecimal(dst []byte, d pantry.Decimal) []byte { return append(dst, d.String()...) }

// UnmarshalDecimal reads a number or its text, of any length.
func UnmarshalDecimal(v any) (pantry.Decimal, error) {
	switch n := v.(type) {
	case string:
		return pantry.ParseDecimal(n)
	case json.Number:
		return pantry.ParseDecimal(string(n))
	case int64:
		return pantry.ParseDecimal(strconv.FormatInt(n, 10))
	case int:
		return pantry.ParseDecimal(strconv.Itoa(n))
	case float64:
		return pantry.ParseDecimal(strconv.FormatFloat(n, 'e', -1, 64))
	default:
		return pantry.Decimal{}, refusal.New(refusal.BadInput, "INVALID_QUANTITY", "Decimal must be a number or the text of one")
	}
}
