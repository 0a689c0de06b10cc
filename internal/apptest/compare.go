package apptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Difference returns the first difference of two JSON values by order of names, or "" if
// they are equal. The values are in the form of encoding/json.
func Difference(path string, got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	switch g := got.(type) {
	case map[string]any:
		if w, ok := want.(map[string]any); ok {
			all := maps.Clone(g)
			maps.Copy(all, w)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				if d := Difference(path+"."+name, presence(g, name), presence(w, name)); d != "" {
					return d
				}
			}
		}
	case []any:
		if w, ok := want.([]any); ok && len(g) == len(w) {
			for i := range g {
				if d := Difference(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); d != "" {
					return d
				}
			}
		}
	}
	return fmt.Sprintf("%s is %s, want %s", path, brief(got), brief(want))
}

// absent represents a missing field, which differs from null.
type absent struct{}

func presence(object map[string]any, name string) any {
	if v, ok := object[name]; ok {
		return v
	}
	return absent{}
}

func brief(value any) string {
	if value == (any)(absent{}) {
		return "absent"
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	if len(text) > 600 {
		return string(text[:600]) + " and more"
	}
	return string(text)
}

// compare compares a response with wanted JSON, ignoring layout.
func compare(got json.RawMessage, want string) (difference string, err error) {
	var g, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return "", fmt.Errorf("wanted JSON: %w", err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return "", fmt.Errorf("answer: %w", err)
	}
	return Difference("data", g, w), nil
}

// Compare fails the test and shows the query if data differs from the wanted JSON, ignoring
// layout.
func (w *World) Compare(query string, data json.RawMessage, want string) {
	w.T.Helper()
	d, err := compare(data, w.People.Fill(want))
	if err != nil {
		w.T.Fatal(err)
	}
	if d != "" {
		w.T.Errorf("%s\nquery   %s\nanswer  %s\nwant    %s", w.People.Name(d), oneLine(query), w.People.Name(string(data)), compact(want))
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// compact returns JSON without white space. Text that names make invalid is unchanged.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}
