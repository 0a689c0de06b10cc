package gqlplan

import (
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Contract returns a function that parses the schema that clients see by introspection when it is first called.
func Contract(text string) func() *ast.Schema {
	return sync.OnceValue(func() *ast.Schema {
		schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: text})
		// The library declares it in every schema. No transport supports incremental responses,
		// so clients must not see it.
		delete(schema.Directives, "defer")
		return schema
	})
}
