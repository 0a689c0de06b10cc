package graph

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// internal lists the directives, and the types of their arguments, that the schema uses to
// instruct its own server. They are not part of the contract with clients and are omitted
// when it is printed.
var (
	internal      = []string{"caller", "goField", "goModel", "reads"}
	internalTypes = []string{"Detail"}
)

// SDL returns the contract as clients and code generators use it: the schema without
// internal directives.
func SDL() string {
	s := *parsedSchema
	s.Directives = without(s.Directives, internal)
	s.Types = public(without(s.Types, internalTypes))
	s.Query, s.Mutation, s.Subscription = s.Types["Query"], s.Types["Mutation"], s.Types["Subscription"]
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(&s)
	return b.String()
}

// public returns copies of types without internal directives on them and their fields.
func public(types map[string]*ast.Definition) map[string]*ast.Definition {
	copies := make(map[string]*ast.Definition, len(types))
	for name, t := range types {
		c := *t
		c.Directives = visible(t.Directives)
		c.Fields = make(ast.FieldList, len(t.Fields))
		for i, f := range t.Fields {
			field := *f
			field.Directives = visible(f.Directives)
			c.Fields[i] = &field
		}
		copies[name] = &c
	}
	return copies
}

func visible(on ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(on), func(d *ast.Directive) bool { return slices.Contains(internal, d.Name) })
}

func without[V any](m map[string]V, names []string) map[string]V {
	rest := make(map[string]V, len(m))
	for name, v := range m {
		if !slices.Contains(names, name) {
			rest[name] = v
		}
	}
	return rest
}
