package apptest

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"stoa/internal/host"
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

// Unfilled returns the declared rows with ids of people of which no item is stored, as "table key |
// sort key". What a test of erasures does not store, it cannot miss.
func (w *World) Unfilled() (rows []string) {
	w.T.Helper()
	stored := w.Rows()
	for _, t := range host.Tables(w.system) {
		for _, line := range t.Lines() {
			if !ofPeople.MatchString(strings.Join(line, " ")) {
				continue
			}
			pk, sk := form(line[0]), form(line[1])
			if !slices.ContainsFunc(stored[t.Name], func(item map[string]any) bool {
				return pk.MatchString(fmt.Sprint(item[t.PK])) && (t.SK == "" || sk.MatchString(fmt.Sprint(item[t.SK])))
			}) {
				rows = append(rows, t.Name+" "+line[0]+" | "+line[1])
			}
		}
	}
	return rows
}

var (
	// ofPeople finds ids of people among the slots and attributes of a row.
	ofPeople = regexp.MustCompile(`[uU]serId|identityId|authorId|subject`)
	slot     = regexp.MustCompile(`\\\{[^}]*\\\}`)
)

// form returns an expression for keys of a template.
func form(template string) *regexp.Regexp {
	return regexp.MustCompile("^" + slot.ReplaceAllString(regexp.QuoteMeta(template), ".+") + "$")
}
