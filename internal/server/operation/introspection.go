package operation

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
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

// validationRules returns the rules of the GraphQL specification and additional ones.
// Suggestions enables suggested names in messages.
func validationRules(maxDepth int, introspection, suggestions bool) *rules.Rules {
	all := rules.NewDefaultRules()
	depth := depthRule(maxDepth)
	all.AddRule(depth.Name, depth.RuleFunc)
	all.ReplaceRule(rules.SingleFieldSubscriptionsRule.Name, singleStream)
	if !introspection {
		all.AddRule(noIntrospectionRule.Name, noIntrospectionRule.RuleFunc)
	}
	if !suggestions {
		for name, silent := range map[string]core.Rule{
			"FieldsOnCorrectType": rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
			"KnownArgumentNames":  rules.KnownArgumentNamesRuleWithoutSuggestions,
			"KnownTypeNames":      rules.KnownTypeNamesRuleWithoutSuggestions,
			"ScalarLeafs":         rules.ScalarLeafsRuleWithoutSuggestions,
			"ValuesOfCorrectType": rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
		} {
			all.ReplaceRule(name, silent.RuleFunc)
		}
	}
	return all
}
