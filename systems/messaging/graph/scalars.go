package graph

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"stoa/systems/messaging"
)

type document messaging.JSON

func (d document) MarshalGQL(w io.Writer) { _, _ = w.Write(AppendJSON(nil, messaging.JSON(d))) }

// MarshalJSON writes a value of any form.
func MarshalJSON(j messaging.JSON) graphql.Marshaler { return document(j) }

// AppendJSON appends what MarshalJSON writes.
func AppendJSON(dst []byte, j messaging.JSON) []byte {
	if j.IsNull() {
		return append(dst, "null"...)
	}
	return append(dst, j...)
}

// UnmarshalJSON reads a value of any form.
func UnmarshalJSON(v any) (messaging.JSON, error) { return messaging.JSONOf(v) }
