package operation

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"stoa/internal/server/wire"
)

// Part is one root field of a mutation that may have been carried out in part.
type Part struct {
	// Name is the name of its answer, which is not null if Required.
	Name     string
	Required bool
	// Do is the request for this field alone.
	Do *wire.Request
	// Read is the request that reads what the field has changed: a field of Query with the
	// same type, whose arguments the mutation has too. Nil if there is none.
	Read *wire.Request
}

// Parts returns the root fields of a valid mutation, in order, or nil if they cannot be told
// apart because of directives or fragments.
func (e *Executor) Parts(r *wire.Request) []Part {
	text, terms := r.Query, e.within.Load()
	if text == "" && r.Hash != nil {
		text, _ = terms.documents.byHash.Get(*r.Hash)
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, terms.Tokens)
	if err != nil {
		return nil
	}
	definition := document.Operations.ForName(r.OperationName)
	if definition == nil {
		return nil
	}
	var parts []Part
	for _, selection := range definition.SelectionSet {
		field, ok := selection.(*ast.Field)
		if !ok || len(field.Directives) > 0 {
			return nil
		}
		part := Part{Name: field.Alias, Do: alone(r, document, definition, ast.Mutation, field)}
		if of := e.schema.Schema().Mutation.Fields.ForName(field.Name); of != nil {
			part.Required = of.Type.NonNull
		}
		if read := e.readOf(field); read != nil {
			part.Read = alone(r, document, definition, ast.Query, read)
		}
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.Name == part.Name }) {
			parts = append(parts, part)
		}
	}
	return parts
}

// selves are the fields of Query that read the caller.
var selves = []string{"self", "me", "viewer"}

// readOf returns the field of Query that reads what a field of Mutation returns, or nil. It
// has the most arguments in common; without any, it must be the caller's own object.
func (e *Executor) readOf(field *ast.Field) *ast.Field {
	schema := e.schema.Schema()
	mutation := schema.Mutation.Fields.ForName(field.Name)
	if mutation == nil || mutation.Type.NamedType == "" || schema.Types[mutation.Type.NamedType].IsLeafType() {
		return nil
	}
	var best *ast.Field
	for _, query := range schema.Query.Fields {
		if query.Type.NamedType != mutation.Type.NamedType {
			continue
		}
		given, ok := argumentsFor(query, mutation, field)
		if !ok || len(given) == 0 && !slices.Contains(selves, query.Name) {
			continue
		}
		if best == nil || len(given) > len(best.Arguments) {
			best = &ast.Field{Alias: field.Alias, Name: query.Name, Arguments: given, SelectionSet: field.SelectionSet}
		}
	}
	return best
}

// argumentsFor returns the arguments of a field of Mutation that one of Query takes, and
// whether they are all that it needs.
func argumentsFor(query, mutation *ast.FieldDefinition, field *ast.Field) (given ast.ArgumentList, ok bool) {
	for _, a := range query.Arguments {
		same, sent := mutation.Arguments.ForName(a.Name), field.Arguments.ForName(a.Name)
		if same != nil && sent != nil && same.Type.Name() == a.Type.Name() {
			given = append(given, sent)
		} else if a.Type.NonNull && a.DefaultValue == nil {
			return nil, false
		}
	}
	return given, true
}

// alone returns the request for one root field, with the fragments and variables that it uses.
func alone(r *wire.Request, document *ast.QueryDocument, whole *ast.OperationDefinition, kind ast.Operation, field *ast.Field) *wire.Request {
	u := uses{variables: map[string]bool{}, fragments: map[string]bool{}, document: document}
	u.selections(ast.SelectionSet{field})
	one := &ast.OperationDefinition{Operation: kind, Name: whole.Name, SelectionSet: ast.SelectionSet{field}}
	for _, v := range whole.VariableDefinitions {
		if u.variables[v.Variable] {
			one.VariableDefinitions = append(one.VariableDefinitions, v)
		}
	}
	alone := &ast.QueryDocument{Operations: ast.OperationList{one}}
	for _, f := range document.Fragments {
		if u.fragments[f.Name] {
			alone.Fragments = append(alone.Fragments, f)
		}
	}
	var text bytes.Buffer
	formatter.NewFormatter(&text).FormatQueryDocument(alone)
	return &wire.Request{Query: text.String(), OperationName: whole.Name, Variables: r.Variables}
}

// uses collects the names that selections use.
type uses struct {
	variables, fragments map[string]bool
	document             *ast.QueryDocument
}

func (u *uses) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			u.arguments(s.Arguments)
			u.directives(s.Directives)
			u.selections(s.SelectionSet)
		case *ast.InlineFragment:
			u.directives(s.Directives)
			u.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			u.directives(s.Directives)
			if f := u.document.Fragments.ForName(s.Name); f != nil && !u.fragments[s.Name] {
				u.fragments[s.Name] = true
				u.directives(f.Directives)
				u.selections(f.SelectionSet)
			}
		}
	}
}

func (u *uses) directives(list ast.DirectiveList) {
	for _, d := range list {
		u.arguments(d.Arguments)
	}
}

func (u *uses) arguments(list ast.ArgumentList) {
	for _, a := range list {
		u.value(a.Value)
	}
}

func (u *uses) value(v *ast.Value) {
	if v.Kind == ast.Variable {
		u.variables[v.Raw] = true
	}
	for _, child := range v.Children {
		u.value(child.Value)
	}
}

// Join returns the answer that has the parts of several answers, each with one root field.
func Join(answers [][]byte) ([]byte, error) {
	data, errs := []byte{'{'}, []json.RawMessage{}
	absent := false
	for _, text := range answers {
		var a struct {
			Data   json.RawMessage   `json:"data"`
			Errors []json.RawMessage `json:"errors"`
		}
		if err := json.Unmarshal(text, &a); err != nil {
			return nil, err
		}
		errs = append(errs, a.Errors...)
		if len(a.Data) < 2 || a.Data[0] != '{' {
			absent = true
			continue
		}
		if len(data) > 1 {
			data = append(data, ',')
		}
		data = append(data, a.Data[1:len(a.Data)-1]...)
	}
	if data = append(data, '}'); absent {
		data = wire.Null
	}
	whole := append([]byte(`{"data":`), data...)
	if len(errs) > 0 {
		list, err := json.Marshal(errs)
		if err != nil {
			return nil, err
		}
		whole = append(append(whole, `,"errors":`...), list...)
	}
	return append(whole, '}'), nil
}
