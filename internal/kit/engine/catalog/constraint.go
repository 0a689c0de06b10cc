package catalog

import (
	"fmt"
	"strings"

	"stoa/internal/kit/engine/value"
)

// Constraint makes the error of a request whose member has a value that its
// declared type does not allow.
func Constraint(got any, member, constraint string, args ...any) error {
	return value.Invalid("1 validation error detected: Value '%v' at '%s' failed to satisfy constraint: Member must %s",
		got, member, fmt.Sprintf(constraint, args...))
}

// oneOf refuses a value that an enumeration does not have. An empty value is
// an absent one.
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

// CheckName judges the name of a table or an index, which member holds.
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

// foreign reports characters that no name may have.
func foreign(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		return false
	}
	return true
}

// CheckTableName is CheckName for requests that administer tables, which say it
// in other words.
func CheckTableName(name *string) error {
	if name != nil && (len(*name) < 3 || len(*name) > 255) {
		return value.Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return CheckName(name, "tableName")
}
