package catalog

import (
	"fmt"
	"strings"

	"stoa/internal/kit/engine/value"
)

// Constraint returns the error for a member with a value that its declared type does not
// allow.
func Constraint(got any, member, constraint string, args ...any) error {
	return value.Invalid("1 validation error detected: Value '%v' at '%s' failed to satisfy constraint: Member must %s",
		got, member, fmt.Sprintf(constraint, args...))
}

// oneOf returns an error for a value that an enumeration does not have. An empty value is
// absent.
func oneOf[T ~string](got T, member string, allowed ...T) error {
	names := make([]string, len(allowed))
	for i, a := range allowed {
		if got == a || got == "" {
			return nil
		}
		names[i] = string(a)
	}
	return Constraint(got, member, "satisfy enum value set: [%s]", strings.Join(names, ", "))
}

// CheckName validates the name of a table or an index, given in member.
func CheckName(name *string, member string) error {
	switch {
	case name == nil:
		return value.Invalid("1 validation error detected: Value null at '%s' failed to satisfy constraint: Member must not be null", member)
	case len(*name) < 3:
		return Constraint(*name, member, "have length greater than or equal to 3")
	case len(*name) > 255:
		return Constraint(*name, member, "have length less than or equal to 255")
	case strings.IndexFunc(*name, foreign) >= 0:
		return Constraint(*name, member, "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	return nil
}

// foreign reports whether a character is not allowed in names.
func foreign(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		return false
	}
	return true
}

// CheckTableName is CheckName for administrative requests, which have other error texts.
func CheckTableName(name *string) error {
	if name != nil && (len(*name) < 3 || len(*name) > 255) {
		return value.Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return CheckName(name, "tableName")
}
