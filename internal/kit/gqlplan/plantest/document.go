// Package plantest generates random documents of a schema, for comparing two ways of
// executing them.
//
// Documents are valid and use all features of GraphQL: aliases, fragments, fields that are
// selected several times, variables, conditions.
package plantest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Generator generates documents. It is deterministic for a given Rand.
type Generator struct {
	Schema *ast.Schema
	Rand   *rand.Rand
	// Values returns possible values of an argument in the form of encoding/json, with
	// enums by name. Nil means random values.
	Values func(field, argument string) []any
	// Scalars are possible values of custom scalars, by name; others are texts.
	Scalars map[string][]any
	// Depth is the maximum nesting of fields.
	Depth int
	// Fields is the approximate number of selected fields.
	Fields int
}

// Document is an operation with its variables.
type Document struct {
	Text      string
	Variables map[string]any
}

// document is a document being generated.
type document struct {
	*Generator
	fields       int
	declarations []string
	variables    map[string]any
	fragments    []string
	// conditions are the Boolean variables of @skip and @include.
	conditions []string
}

// Query returns a query.
func (g *Generator) Query() Document { return g.document("query", g.Schema.Query) }

// Mutation returns a mutation.
func (g *Generator) Mutation() Document { return g.document("mutation", g.Schema.Mutation) }

func (g *Generator) document(kind string, root *ast.Definition) Document {
	d := &document{Generator: g, variables: map[string]any{}}
	selection, declared := d.selection(root, g.Depth), ""
	if len(d.declarations) > 0 {
		declared = "(" + strings.Join(d.declarations, ", ") + ")"
	}
	return Document{
		Text:      kind + " Random" + declared + " " + selection + strings.Join(d.fragments, ""),
		Variables: d.variables,
	}
}

func (d *document) chance(percent int) bool { return d.Rand.IntN(100) < percent }

// selection returns a selection set with at least one unconditional field.
func (d *document) selection(t *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	b.WriteString(" " + d.field(t, depth, false))
	for range d.Rand.IntN(6) {
		if d.fields > d.Fields {
			break
		}
		b.WriteString(" ")
		switch n := d.Rand.IntN(20); {
		case n == 0 && depth > 1:
			b.WriteString("..." + d.condition() + " " + d.selection(t, depth))
		case n == 1 && depth > 1:
			b.WriteString("... on " + t.Name + d.condition() + " " + d.selection(t, depth))
		case n == 2 && depth > 1:
			name := d.fragment(t, depth)
			b.WriteString("..." + name + d.condition())
			if d.chance(30) {
				b.WriteString(" ..." + name)
			}
		default:
			b.WriteString(d.field(t, depth, true))
		}
	}
	b.WriteString(" }")
	return b.String()
}

// fragment adds a fragment on t and returns its name.
func (d *document) fragment(t *ast.Definition, depth int) string {
	number := len(d.fragments)
	d.fragments = append(d.fragments, "") // reserves the number
	name := fmt.Sprint("F", number)
	d.fragments[number] = "\nfragment " + name + " on " + t.Name + " " + d.selection(t, depth)
	return name
}

// field returns a field of t; one with objects as values takes one level of depth.
func (d *document) field(t *ast.Definition, depth int, conditional bool) string {
	d.fields++
	fields := slices.DeleteFunc(slices.Clone(t.Fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__") || depth == 1 && d.Schema.Types[f.Type.Name()].IsCompositeType()
	})
	if len(fields) == 0 || d.chance(5) {
		return d.alias("__typename", "") + "__typename"
	}
	f := fields[d.Rand.IntN(len(fields))]
	arguments := d.arguments(f)
	text := d.alias(f.Name, arguments) + f.Name + arguments
	if conditional {
		text += d.condition()
	}
	if inner := d.Schema.Types[f.Type.Name()]; inner.IsCompositeType() {
		text += " " + d.selection(inner, depth-1)
	}
	return text
}

// alias returns response keys that can always be merged: a key determines its field and
// arguments.
func (d *document) alias(name, arguments string) string {
	if arguments == "" && d.chance(70) {
		return ""
	}
	h := fnv.New32a()
	h.Write([]byte(arguments))
	return fmt.Sprintf("k%d_%s_%x: ", d.Rand.IntN(2), strings.TrimLeft(name, "_"), h.Sum32()&0xffff)
}

func (d *document) condition() string {
	if !d.chance(15) {
		return ""
	}
	directive := []string{"skip", "include"}[d.Rand.IntN(2)]
	value := fmt.Sprint(d.chance(50))
	if d.chance(50) {
		if n := d.Rand.IntN(3); n < len(d.conditions) {
			value = d.conditions[n]
		} else {
			value = d.variable("Boolean!", d.chance(50))
			d.conditions = append(d.conditions, value)
		}
	}
	return " @" + directive + "(if: " + value + ")"
}

func (d *document) variable(declared string, value any) string {
	name := fmt.Sprint("v", len(d.declarations)+1)
	d.declarations = append(d.declarations, "$"+name+": "+declared)
	d.variables[name] = value
	return "$" + name
}

func (d *document) arguments(f *ast.FieldDefinition) string {
	var given []string
	for _, a := range f.Arguments {
		if !a.Type.NonNull && d.chance(50) {
			continue
		}
		value := d.value(a.Type, 0)
		if d.Values != nil {
			if offered := d.Values(f.Name, a.Name); len(offered) > 0 {
				value = offered[d.Rand.IntN(len(offered))]
			}
		}
		text := d.literal(a.Type, value)
		if d.chance(40) {
			text = d.variable(a.Type.String(), value)
			if !a.Type.NonNull && d.chance(20) {
				delete(d.variables, text[1:]) // as if it were omitted
			}
		}
		given = append(given, a.Name+": "+text)
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

func (d *document) value(t *ast.Type, depth int) any {
	if !t.NonNull && d.chance(15) {
		return nil
	}
	if t.Elem != nil {
		list := []any{}
		for range d.Rand.IntN(3) {
			list = append(list, d.value(t.Elem, depth))
		}
		return list
	}
	switch definition := d.Schema.Types[t.Name()]; {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[d.Rand.IntN(len(definition.EnumValues))].Name
	case definition.Kind == ast.InputObject:
		object := map[string]any{}
		for _, f := range definition.Fields {
			if f.Type.NonNull || depth < 3 && d.chance(40) {
				object[f.Name] = d.value(f.Type, depth+1)
			}
		}
		return object
	}
	if offered := d.Scalars[t.Name()]; len(offered) > 0 {
		return offered[d.Rand.IntN(len(offered))]
	}
	switch t.Name() {
	case "Int":
		return d.Rand.IntN(5)
	case "Boolean":
		return d.chance(50)
	case "Float":
		return d.Rand.Float64()
	}
	return []string{"", "a", `"quoted"`, "two\nlines", "ümlaut"}[d.Rand.IntN(5)]
}

// literal returns a value as a literal in a document.
func (d *document) literal(t *ast.Type, value any) string {
	switch v := value.(type) {
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = d.literal(t.Elem, item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var members []string
		for _, f := range d.Schema.Types[t.Name()].Fields {
			if member, given := v[f.Name]; given {
				members = append(members, f.Name+": "+d.literal(f.Type, member))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case string:
		if d.Schema.Types[t.Name()].Kind == ast.Enum {
			return v
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
