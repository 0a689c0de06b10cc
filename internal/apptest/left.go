package apptest

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Left reports rows that have any of some traces of a person, as they are or in base64, in
// whatever table.
func (w *World) Left(traces ...string) {
	w.T.Helper()
	for table, rows := range w.Rows() {
		for _, row := range rows {
			text := unfolded(row)
			for _, trace := range traces {
				if strings.Contains(text, trace) {
					w.T.Errorf("%s has %q: %v", table, trace, row)
				}
			}
		}
	}
}

// unfolded returns a value as text, with what texts in it encode in base64.
func unfolded(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var all strings.Builder
		for name, value := range v {
			all.WriteString(name + " " + unfolded(value) + "\n")
		}
		return all.String()
	case []any:
		var all strings.Builder
		for _, value := range v {
			all.WriteString(unfolded(value) + "\n")
		}
		return all.String()
	case string:
		if decoded, err := base64.RawURLEncoding.DecodeString(v); err == nil {
			return v + "\n" + string(decoded)
		}
		return v
	default:
		return fmt.Sprint(v)
	}
}
