package operation

import (
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// newRules returns the rules of the GraphQL specification and additional ones.
// Suggestions enables suggested names in messages.
func newRules(maxDepth int, introspection, suggestions bool) *rules.Rules {
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
