package resolvers

import "errors"

// errDiagnosed is a fault of the store that never happened.
var errDiagnosed = errors.New("a fault of the store was asked for")

// valueOf is an optional text, empty when it is left out.
func valueOf(arg *string) string {
	if arg == nil {
		return ""
	}
	return *arg
}
