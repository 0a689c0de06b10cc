package archive

import "strings"

// Cite expands a template: {{ header }}, with any white space inside, is replaced by the
// value of the header, or by nothing if data does not contain it.
func Cite(template string, data map[string]string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(template, "{{")
		b.WriteString(before)
		if !open {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			b.WriteString("{{" + rest)
			return b.String()
		}
		b.WriteString(valueOf(data, name))
		template = after
	}
}

func valueOf(data map[string]string, name string) string {
	name = strings.TrimSpace(name)
	if value, ok := data[name]; ok {
		return value
	}
	return data[strings.Join(strings.Fields(name), " ")]
}
