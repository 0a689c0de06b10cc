package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/scalar"
	"stoa/systems/messaging"
)

// MarshalJSON returns a marshaler of any value.
func MarshalJSON(j messaging.JSON) graphql.Marshaler { return scalar.Written(AppendJSON, j) }

// AppendJSON appends j in the form that MarshalJSON writes.
func AppendJSON(dst []byte, j messaging.JSON) []byte {
	if j.IsNull() {
		return append(dst, "null"...)
	}
	return append(dst, j...)
}

// UnmarshalJSON converts any decoded value.
func UnmarshalJSON(v any) (messaging.JSON, error) { return messaging.JSONOf(v) }
