package operation

import (
	"fmt"
	"math"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// scalars validate values of custom scalars, by name, the ranges of Int and Float, and names of enums. gqlgen parses such
// values only when it reaches their field, after others have been executed.
type scalars map[string]func(value any) error

// literals returns the errors of the literals in an otherwise valid document.
func (s scalars) literals(document *ast.QueryDocument) (errs gqlerror.List) {
	eachValue(document, func(v *ast.Value) {
		check := s.of(v.Definition)
		list := v.ExpectedType != nil && v.ExpectedType.Elem != nil && v.Kind == ast.ListValue
		if check == nil || list || v.Kind == ast.Variable || v.Kind == ast.NullValue || len(errs) == maxRuleErrors {
			return
		}
		value, err := v.Value(nil)
		if err == nil {
			err = check(value)
		}
		if err != nil {
			errs = append(errs, validationError("WrongType", err.Error(), gqlerror.Location{Line: v.Position.Line, Column: v.Position.Column}))
		}
	})
	return errs
}

// variables validates the values of an operation's variables.
func (s scalars) variables(types map[string]*ast.Definition, asked ast.VariableDefinitionList, given map[string]any) error {
	for _, v := range asked {
		if err := s.variable(types, v.Type, ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}, given[v.Variable]); err != nil {
			return err
		}
	}
	return nil
}

func (s scalars) variable(types map[string]*ast.Definition, t *ast.Type, path ast.Path, value any) error {
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		for i, item := range itemsOf(value) {
			if err := s.variable(types, t.Elem, append(path[:len(path):len(path)], ast.PathIndex(i)), item); err != nil {
				return err
			}
		}
		return nil
	}
	definition := types[t.NamedType]
	if definition.Kind == ast.Enum {
		// The validator accepts names in any case.
		if name := fmt.Sprint(value); definition.EnumValues.ForName(name) == nil {
			return gqlerror.ErrorPathf(path, "is wrong: %s is not a valid %s", name, definition.Name)
		}
		return nil
	}
	if check := s.of(definition); check != nil {
		if err := check(value); err != nil {
			return gqlerror.ErrorPathf(path, "is wrong: %s", err)
		}
	}
	fields, _ := value.(map[string]any)
	if definition.Kind != ast.InputObject {
		return nil
	}
	for _, field := range definition.Fields {
		if err := s.variable(types, field.Type, append(path[:len(path):len(path)], ast.PathName(field.Name)), fields[field.Name]); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf returns the items of a list. One item may stand for a list of it: the validator has
// put that in a slice of the item's own type.
func itemsOf(value any) []any {
	if items, ok := value.([]any); ok {
		return items
	}
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice {
		return []any{value}
	}
	items := make([]any, list.Len())
	for i := range items {
		items[i] = list.Index(i).Interface()
	}
	return items
}

// of returns the validator for values of a type, or nil if it needs none.
func (s scalars) of(t *ast.Definition) func(any) error {
	if t == nil || t.Kind != ast.Scalar {
		return nil
	}
	switch t.Name {
	case "Int":
		return within32Bits
	case "Float":
		return finite
	}
	return s[t.Name]
}

// within32Bits refuses what GraphQL's Int cannot represent. gqlgen would pass it on, and
// clients could not parse it when it is returned to them.
func within32Bits(v any) error {
	if _, err := graphql.UnmarshalInt32(v); err != nil {
		return fmt.Errorf("Int cannot represent non 32-bit signed integer value: %v", v)
	}
	return nil
}

// finite refuses what GraphQL's Float and JSON cannot represent. Variables may have numbers as strings, and to the
// validator "NaN" is one.
func finite(v any) error {
	if f, err := graphql.UnmarshalFloat(v); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return fmt.Errorf("Float cannot represent non-finite value: %v", v)
	}
	return nil
}
