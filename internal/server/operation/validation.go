package operation

import (
	"sort"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// validation is a list of rules for documents, sorted by name.
type validation []core.Rule

// newValidation returns the rules of the GraphQL specification and additional ones.
// Suggestions enables suggested names in messages.
func newValidation(maxDepth int, introspection, suggestions bool) validation {
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
	var v validation
	for name, rule := range all.GetInner() {
		v = append(v, core.Rule{Name: name, RuleFunc: rule})
	}
	sort.Sort(core.NameSorter(v))
	return v
}

// check returns the errors that validator.ValidateWithRules would return. That sorts the
// rules anew for each document, which takes longer than validating a short one.
func (v validation) check(schema *ast.Schema, document *ast.QueryDocument) (errs gqlerror.List) {
	var observers core.Events
	for _, rule := range v {
		rule.RuleFunc(&observers, func(options ...core.ErrorOption) {
			err := &gqlerror.Error{Rule: rule.Name}
			for _, set := range options {
				set(err)
			}
			errs = append(errs, err)
		})
	}
	core.Walk(schema, document, &observers)
	return errs
}
