package catalog

import (
	"regexp"

	"stoa/internal/kit/engine/value"
)

var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]+$`)

// CheckTableName validates the name of a table to create, describe, change or delete.
func CheckTableName(name string) error {
	switch {
	case len(name) < 3 || len(name) > 255:
		return value.Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	case !tableName.MatchString(name):
		return value.Invalid("1 validation error detected: Value '%s' at 'tableName' failed to satisfy constraint: "+
			"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+", name)
	}
	return nil
}
