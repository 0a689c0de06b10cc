package gqlplan

import (
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Contract loads the schema that clients find by introspection from its text.
func Contract(text string) *ast.Schema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: text})
	// The library declares it in every schema. No transport sends answers in parts, so
	// a client that counts on it had better learn so.
	delete(schema.Directives, "defer")
	return schema
}
