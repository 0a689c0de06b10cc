package graph

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/scalar"
	"stoa/systems/archive"
)

// MarshalDateTime returns a marshaler of a time in UTC with nine fractional digits.
func MarshalDateTime(t time.Time) graphql.Marshaler { return scalar.Written(AppendDateTime, t) }

// AppendDateTime appends t in the form that MarshalDateTime writes.
func AppendDateTime(dst []byte, t time.Time) []byte {
	return append(append(append(dst, '"'), archive.FormatTime(t)...), '"')
}

// UnmarshalDateTime parses a time in ISO 8601.
func UnmarshalDateTime(v any) (time.Time, error) { return scalar.UnmarshalDateTime(v) }

// MarshalID returns a marshaler of an id as decimal text.
func MarshalID(i archive.ID) graphql.Marshaler { return scalar.Written(AppendID, i) }

// AppendID appends i in the form that MarshalID writes.
func AppendID(dst []byte, i archive.ID) []byte {
	return append(strconv.AppendInt(append(dst, '"'), int64(i), 10), '"')
}

// UnmarshalID parses an id from a text or a number.
func UnmarshalID(v any) (archive.ID, error) {
	switch n := v.(type) {
	case string:
		return archive.ParseID(n)
	case json.Number:
		return archive.ParseID(string(n))
	case int64:
		return archive.ParseID(strconv.FormatInt(n, 10))
	case int:
		return archive.ParseID(strconv.Itoa(n))
	}
	return 0, archive.BadInput("INVALID_ID", "ID must be a number from 1 to %d, or its text", archive.MaxID)
}

// MarshalJSON returns a marshaler of a JSON object.
func MarshalJSON(o map[string]any) graphql.Marshaler { return scalar.Written(AppendJSON, o) }

// AppendJSON appends o in the form that MarshalJSON writes. Values come from JSON, so all
// of them can be written.
func AppendJSON(dst []byte, o map[string]any) []byte {
	data, err := json.Marshal(o)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, data...)
}

// UnmarshalJSON converts a decoded object.
func UnmarshalJSON(v any) (map[string]any, error) {
	if o, ok := v.(map[string]any); ok {
		return o, nil
	}
	return nil, archive.BadInput("INVALID_JSON", "JSON must be an object here")
}
