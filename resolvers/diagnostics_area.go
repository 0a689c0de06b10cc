package resolvers

import "errors"

// errDiagnosed is a simulated store failure.
var errDiagnosed = errors.New("a fault of the store was asked for")

// valueOf returns an optional text, or "" if omitted.
func valueOf(arg *string) string {
	if arg == nil {
		return ""
	}
	return *arg
}
