package resolvers_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	. "stoa/social/socialtest"
)

// A field has the same value when it is selected alone as together with all other fields of
// its type: the reads that it needs are caused by the field itself, not by others that
// happen to be selected. The test selects every field of every type, through every path of
// the schema past three objects.
func TestFieldsAnswerAloneAsTheyDoTogether(t *testing.T) {
	t.Parallel()
	Test(t, hiding(), func(w *World) {
		schema, asks, told := w.Schema.Schema(), 0, 0
		eachPath(t, schema, "Query", 3, func(within func(string) string, of *ast.Definition) {
			fields := leaves(schema, of)
			together := w.Ask("vic", "{ "+within(strings.Join(fields, " "))+" }")
			for _, field := range fields {
				query := "{ " + within(field) + " }"
				alone := w.Ask("vic", query)
				asks++
				for _, e := range alone.Errors {
					if e.ErrorType != "ClientError" {
						w.T.Errorf("%s fails with %s", query, e.Message)
					}
				}
				if difference := unlike(decoded(w, alone.Data), decoded(w, together.Data)); difference != "" {
					w.T.Errorf("%s answers %s: %s", query, alone.Data, difference)
				}
				if strings.Contains(strings.ReplaceAll(string(alone.Data), "null", ""), field) {
					told++
				}
			}
		})
		if asks < 500 || told < asks/10 {
			w.T.Errorf("%d of %d questions were worth asking", told, asks)
		}
	})
}

// eachPath calls do with each path from a root type to an object, past at most depth
// objects, and that object's type. Required arguments get their first value.
func eachPath(t *testing.T, schema *ast.Schema, root string, depth int, do func(within func(leaves string) string, of *ast.Definition)) {
	t.Helper()
	var descend func(of *ast.Definition, path []*ast.FieldDefinition, objects int)
	descend = func(of *ast.Definition, path []*ast.FieldDefinition, objects int) {
		for _, f := range of.Fields {
			next := schema.Types[f.Type.Name()]
			if strings.HasPrefix(f.Name, "__") || next.Kind != ast.Object {
				continue
			}
			path, objects := append(path[:len(path):len(path)], f), objects
			if !strings.HasPrefix(next.Name, "Paginated") {
				objects++
			}
			do(ways(t, schema, path, false)[0], next)
			if objects < depth {
				descend(next, path, objects)
			}
		}
	}
	descend(schema.Types[root], nil, 0)
}

// unlike describes the difference between a response and another one that has more fields.
func unlike(part, whole any) string {
	switch part := part.(type) {
	case map[string]any:
		whole, ok := whole.(map[string]any)
		if !ok {
			return "there is no object among others"
		}
		for name, value := range part {
			if difference := unlike(value, whole[name]); difference != "" {
				return name + ": " + difference
			}
		}
		return ""
	case []any:
		whole, ok := whole.([]any)
		if !ok || len(part) != len(whole) {
			return fmt.Sprintf("%d items, among others %d", len(part), len(whole))
		}
		for i := range part {
			if difference := unlike(part[i], whole[i]); difference != "" {
				return fmt.Sprintf("%d: %s", i, difference)
			}
		}
		return ""
	}
	if !reflect.DeepEqual(part, whole) {
		return fmt.Sprintf("%v, among others %v", part, whole)
	}
	return ""
}

func decoded(w *World, data json.RawMessage) (value any) {
	if err := json.Unmarshal(data, &value); err != nil {
		w.T.Fatal(err)
	}
	return value
}
