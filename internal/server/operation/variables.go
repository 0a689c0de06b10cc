package operation

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// variables returns the variables of a request in the types that the operation declares.
// The result may be given itself.
func (e *Executor) variables(definition *ast.OperationDefinition, given map[string]any) (map[string]any, error) {
	switch asked := definition.VariableDefinitions; {
	case len(asked) == 0:
		return nil, nil
	case onlyTexts(asked, given):
		return given, nil
	default:
		values, err := validator.VariableValues(e.schema.Schema(), definition, given)
		if err == nil {
			err = e.scalars.variables(e.schema.Schema().Types, asked, values)
		}
		return values, err
	}
}

// onlyTexts reports whether the declared variables are exactly those given, and all of them
// are strings of a type that accepts any string.
func onlyTexts(asked ast.VariableDefinitionList, given map[string]any) bool {
	if len(asked) != len(given) {
		return false
	}
	for _, v := range asked {
		if v.Type.NamedType != "String" && v.Type.NamedType != "ID" {
			return false
		}
		if _, text := given[v.Variable].(string); !text {
			return false
		}
	}
	return true
}
