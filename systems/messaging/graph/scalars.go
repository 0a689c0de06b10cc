package graph

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"stoa/systems/messaging"
)

type document messaging.JSON

func (d document) MarshalGQL(w io.Writer) { _, _ = w.Write(AppendJSON(nil, messaging.JSON(d))) }

// MarshalJSON returns a marshaler of any value.
func MarshalJSON(j messaging.JSON) graphql.Marshaler { return document(j) }

// AppendJSON appends j in the form that MarshalJSON writes.
func AppendJSON(dst []byte, j messaging.JSON) []byte {
	if j.IsNull() {
		return append(dst, "null"...)
	}
	return append(dst, j...)
}

// UnmarshalJSON converts any decoded value.
func UnmarshalJSON(v any) (messaging.JSON, error) { return messaging.JSONOf(v) }
