package operation

import (
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/server/wire"
)

// maxRuleErrors is the maximum number of validation errors in a response.
const maxRuleErrors = 20

// ruleKinds maps validation rules to the kinds that clients know from AppSync. Other rules
// have their own names.
var ruleKinds = map[string]string{
	"FieldsOnCorrectType":          "FieldUndefined",
	"FragmentsOnCompositeTypes":    "FragmentTypeConditionInvalid",
	"KnownArgumentNames":           "UnknownArgument",
	"KnownDirectives":              "UnknownDirective",
	"KnownFragmentNames":           "UndefinedFragment",
	"KnownRootType":                "UnknownOperation",
	"KnownTypeNames":               "UnknownType",
	"LoneAnonymousOperation":       "LoneAnonymousOperationViolation",
	"NoFragmentCycles":             "FragmentCycle",
	"NoUndefinedVariables":         "UndefinedVariable",
	"NoUnusedFragments":            "UnusedFragment",
	"NoUnusedVariables":            "UnusedVariable",
	"OverlappingFieldsCanBeMerged": "FieldsConflict",
	"PossibleFragmentSpreads":      "InvalidFragmentType",
	"ProvidedRequiredArguments":    "MissingFieldArgument",
	"ScalarLeafs":                  "SubSelectionRequired",
	"SingleFieldSubscriptions":     "SubscriptionMultipleRootFields",
	"UniqueArgumentNames":          "DuplicateArgumentNames",
	"UniqueDirectivesPerLocation":  "DuplicateDirectiveName",
	"UniqueFragmentNames":          "DuplicateFragmentName",
	"UniqueInputFieldNames":        "DuplicateInputFieldName",
	"UniqueOperationNames":         "DuplicateOperationName",
	"UniqueVariableNames":          "DuplicateVariableName",
	"ValuesOfCorrectType":          "WrongType",
	"VariablesAreInputTypes":       "NonInputTypeOnVariable",
	"VariablesInAllowedPosition":   "VariableTypeMismatch",
}

// invalid is the type of all errors that precede execution.
const invalid = "ValidationError"

func validationError(kind, message string, at ...gqlerror.Location) *gqlerror.Error {
	return wire.NewError(invalid, errcode.ValidationFailed, "Validation error of type "+kind+": "+message, at...)
}

func syntaxError(err error) *gqlerror.Error {
	shown := validationError("InvalidSyntax", err.Error())
	var at *gqlerror.Error
	if errors.As(err, &at) {
		shown = validationError("InvalidSyntax", at.Message, at.Locations...)
	}
	shown.Extensions[wire.Code] = errcode.ParseFailed
	return shown
}

func ruleErrors(errs gqlerror.List) gqlerror.List {
	errs = errs[:min(len(errs), maxRuleErrors)]
	shown := make(gqlerror.List, len(errs))
	for i, err := range errs {
		kind, listed := ruleKinds[err.Rule]
		if !listed {
			kind = err.Rule
		}
		shown[i] = validationError(kind, err.Message, err.Locations...)
	}
	return shown
}

// variableError returns the error of a variable that does not match its declared type, with
// the location of its declaration.
func variableError(err error, definition *ast.OperationDefinition) *gqlerror.Error {
	message := err.Error()
	var locations []gqlerror.Location
	var at *gqlerror.Error
	if errors.As(err, &at) {
		// The path starts with "variable" and leads to the value.
		message = strings.TrimPrefix(at.Path.String(), "variable.") + " " + mismatch(at.Message)
		for _, v := range definition.VariableDefinitions {
			if len(at.Path) > 1 && at.Path[1] == ast.PathName(v.Variable) {
				locations = append(locations, gqlerror.Location{Line: v.Position.Line, Column: v.Position.Column})
			}
		}
	}
	return validationError("WrongType", "variable "+message, locations...)
}
