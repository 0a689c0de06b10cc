package operation

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// noIntrospectionRule refuses introspection, except `__typename`.
var noIntrospectionRule = core.Rule{Name: "IntrospectionDisabled", RuleFunc: func(observers *core.Events, addError core.AddErrFunc) {
	observers.OnField(func(_ *core.Walker, field *ast.Field) {
		if field.Name == "__schema" || field.Name == "__type" {
			addError(
				core.Message("field '%s': introspection is disabled on this server; `stoa schema` prints the schema", field.Name),
				core.At(field.Position),
			)
		}
	})
}}
