package operation

import "regexp"

// mismatches match the validator's messages about variables of another type, which name Go's kinds of
// values, with the expected type and the given kind.
var mismatches = []struct {
	message        *regexp.Regexp
	expected, kind int // groups; 0 if the message does not have it
}{
	{regexp.MustCompile(`^cannot use (value) .+ as (\w+)$`), 2, 1}, // a number that the type cannot hold: what follows is the nearest one that it can
	{regexp.MustCompile(`^cannot use (.+) as (\w+)$`), 2, 1},
	{regexp.MustCompile(`^cannot use (.+) as (\w+): integers beyond `), 2, 1},
	{regexp.MustCompile(`^must be a (\w+), not a (\w+)$`), 1, 2},
	{regexp.MustCompile(`^<(.+) Value> is not a valid (\w+)$`), 2, 1},
	{regexp.MustCompile(`^enums must be ints or strings$`), 0, 0},
}

// kinds are Go's kinds in the words of JSON.
var kinds = map[string]string{
	"bool": "a boolean", "int": "a number", "int64": "a number", "float64": "a decimal number", "string": "a string", "slice": "a list", "map": "an object",
	"value": "another number",
}

// mismatch returns the validator's message in the words of GraphQL and JSON.
func mismatch(message string) string {
	for _, m := range mismatches {
		groups := m.message.FindStringSubmatch(message)
		switch {
		case groups == nil:
			continue
		case m.expected == 0:
			return "must be the name of a value of its enum"
		}
		kind := kinds[groups[m.kind]]
		if kind == "" {
			kind = groups[m.kind]
		}
		return "must be " + groups[m.expected] + ", not " + kind
	}
	if message == "unknown field" {
		return "does not exist in its input type"
	}
	return message
}
