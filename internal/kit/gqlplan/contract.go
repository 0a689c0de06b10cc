package gqlplan

import (
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Contract parses the schema that clients see by introspection.
func Contract(text string) *ast.Schema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: text})
	// The library declares it in every schema. No transport supports incremental responses,
	// so clients must not see it.
	delete(schema.Directives, "defer")
	return schema
}
