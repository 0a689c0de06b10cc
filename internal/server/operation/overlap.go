package operation

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Validation compares all pairs of fields with one response key, and all pairs of spreads,
// in the same object; their number grows quadratically with a document's size. It repeats
// that for inline fragments within others, and visits each fragment once from every
// operation and every other fragment. Collecting the fields of an object compares each key
// with those before it, which is keysPerComparison times as fast, and comparing arguments
// is valuesPerComparison times as fast. maxComparisons takes about 30 ms. Apps whose
// components each select their own fields stay below it with a hundred components for one
// object.
const (
	maxComparisons      = 100_000
	keysPerComparison   = 40
	valuesPerComparison = 8
)

// checkOverlaps refuses documents that would take too long to validate. This includes
// fragments that spread themselves, which could be followed forever.
func checkOverlaps(document *ast.QueryDocument) *gqlerror.Error {
	o := overlaps{fragments: map[string]*ast.FragmentDefinition{}, spread: map[*ast.FragmentDefinition]bool{}}
	for _, f := range document.Fragments {
		if o.fragments[f.Name] == nil { // validation uses the first of a name
			o.fragments[f.Name] = f
		}
	}
	if err := checkCycles(document, o.fragments); err != nil {
		return err
	}
	for _, operation := range document.Operations {
		o.object([]ast.SelectionSet{operation.SelectionSet})
		o.visit(operation.SelectionSet, map[string]bool{})
	}
	for _, f := range document.Fragments {
		if !o.spread[f] {
			o.object([]ast.SelectionSet{f.SelectionSet})
		}
		o.within(f.SelectionSet)
		o.visit(f.SelectionSet, map[string]bool{})
	}
	if o.tooMany() {
		err := validationError("MaxOverlaps", fmt.Sprintf(
			"too many fields are selected for one object: comparing them with each other takes more than %d steps", maxComparisons))
		err.Extensions["code"] = "COMPLEXITY_LIMIT_EXCEEDED"
		return err
	}
	return nil
}

// overlaps counts comparisons and visits.
type overlaps struct {
	fragments map[string]*ast.FragmentDefinition
	// spread holds the fragments that are part of an object counted so far.
	spread map[*ast.FragmentDefinition]bool
	// fields is the number of fields collected for comparisons, visits that of everything
	// visited.
	comparisons, fields, visits int
}

func (o *overlaps) tooMany() bool {
	return o.comparisons > maxComparisons || max(o.fields, o.visits) > maxCountedFields
}

// object counts the comparisons of one object, whose fields are selected in several sets,
// and of the objects below it.
func (o *overlaps) object(sets []ast.SelectionSet) {
	s := selected{keys: map[string]*overlap{}, entered: map[string]bool{}}
	for _, set := range sets {
		o.collect(set, &s)
	}
	o.compare(&s)
	for _, k := range s.keys {
		if o.tooMany() {
			return
		}
		if len(k.below) > 0 {
			o.object(k.below)
		}
	}
}

// within counts the comparisons of the fields of one selection set with each other, except
// those of fragments that it spreads.
func (o *overlaps) within(set ast.SelectionSet) {
	s := selected{keys: map[string]*overlap{}}
	o.collect(set, &s)
	o.compare(&s)
}

// visit counts what validation visits from an operation or a fragment.
func (o *overlaps) visit(set ast.SelectionSet, entered map[string]bool) {
	for _, selection := range set {
		if o.tooMany() {
			return
		}
		o.visits++
		switch s := selection.(type) {
		case *ast.Field:
			o.visits += countValues(s.Arguments) + countDirectives(s.Directives)
			o.visit(s.SelectionSet, entered)
		case *ast.InlineFragment:
			o.visits += countDirectives(s.Directives)
			o.within(s.SelectionSet)
			o.visit(s.SelectionSet, entered)
		case *ast.FragmentSpread:
			o.visits += countDirectives(s.Directives)
			if f := o.fragments[s.Name]; f != nil && !entered[s.Name] {
				entered[s.Name] = true
				o.visits += countDirectives(f.Directives)
				o.visit(f.SelectionSet, entered)
			}
		}
	}
}

// selected is what is selected of one object.
type selected struct {
	keys    map[string]*overlap
	spreads int
	// entered holds the names of fragments that are included; nil includes none.
	entered map[string]bool
}

// overlap is the number of selections of a response key, and the selections below it. Values
// is the number of values in the arguments of all, pairs that of pairs of values that belong
// to two selections.
type overlap struct {
	count, values, pairs int
	below                []ast.SelectionSet
}

func (o *overlaps) compare(s *selected) {
	o.comparisons += s.spreads*s.spreads + len(s.keys)*len(s.keys)/keysPerComparison
	for _, k := range s.keys {
		o.comparisons += k.count*k.count + k.pairs/valuesPerComparison
	}
}

func (o *overlaps) collect(set ast.SelectionSet, in *selected) {
	for _, selection := range set {
		if o.tooMany() {
			return
		}
		o.fields++
		switch s := selection.(type) {
		case *ast.Field:
			k := in.keys[s.Alias]
			if k == nil {
				k = &overlap{}
				in.keys[s.Alias] = k
			}
			values := countValues(s.Arguments)
			o.fields += values
			k.count++
			k.pairs += k.values * values
			k.values += values
			if len(s.SelectionSet) > 0 {
				k.below = append(k.below, s.SelectionSet)
			}
		case *ast.InlineFragment:
			o.collect(s.SelectionSet, in)
		case *ast.FragmentSpread:
			in.spreads++
			if f := o.fragments[s.Name]; f != nil && in.entered != nil && !in.entered[s.Name] {
				in.entered[s.Name], o.spread[f] = true, true
				o.collect(f.SelectionSet, in)
			}
		}
	}
}

func countDirectives(directives ast.DirectiveList) int {
	n := len(directives)
	for _, d := range directives {
		n += countValues(d.Arguments)
	}
	return n
}

// countValues returns the number of values in arguments, including those in lists and
// objects.
func countValues(arguments ast.ArgumentList) (n int) {
	for _, a := range arguments {
		within(a.Value, func(*ast.Value) { n++ })
	}
	return n
}
