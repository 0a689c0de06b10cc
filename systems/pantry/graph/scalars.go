package graph

import (
	"encoding/json"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/scalar"
	"stoa/systems/pantry"
)

// MarshalDecimal returns a marshaler of a number.
func MarshalDecimal(d pantry.Decimal) graphql.Marshaler { return scalar.Written(AppendDecimal, d) }

// AppendDecimal appends d in the form that MarshalDecimal writes.
func AppendDecimal(dst []byte, d pantry.Decimal) []byte { return append(dst, d.String()...) }

// UnmarshalDecimal parses a number or its text, of any length.
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
