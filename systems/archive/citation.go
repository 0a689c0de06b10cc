package archive

import "strings"

// Cite fills a template: {{ header }} stands for the value of the header, with blanks
// around and inside of it as they like. What the data do not have is empty.
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
