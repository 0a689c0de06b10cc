package operation

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Validation compares all pairs of fields with one response key, and all pairs of
// fragments, in the same object; their number grows quadratically with a document's size.
// Collecting the fields of an object compares each key with those before it, which is
// keysPerComparison times as fast. maxComparisons takes about 30 ms. Apps whose components
// each select their own fields stay below it with a hundred components for one object.
const (
	maxComparisons    = 100_000
	keysPerComparison = 40
)

// maxOverlapDepth stops counting in cyclic fragments, which another rule reports.
const maxOverlapDepth = 64

// checkOverlaps refuses documents that would take too long to validate.
func checkOverlaps(document *ast.QueryDocument) *gqlerror.Error {
	for _, operation := range document.Operations {
		o := overlaps{fragments: document.Fragments}
		if o.object([]ast.SelectionSet{operation.SelectionSet}, 0); o.tooMany() {
			err := validationError("MaxOverlaps", fmt.Sprintf(
				"too many fields are selected for one object: comparing them with each other takes more than %d steps", maxComparisons))
			err.Extensions["code"] = "COMPLEXITY_LIMIT_EXCEEDED"
			return err
		}
	}
	return nil
}

// overlaps counts comparisons.
type overlaps struct {
	fragments           ast.FragmentDefinitionList
	comparisons, fields int
}

func (o *overlaps) tooMany() bool {
	return o.comparisons > maxComparisons || o.fields > maxCountedFields
}

// object counts the comparisons of one object, whose fields are selected in several sets,
// and of the objects below it.
func (o *overlaps) object(sets []ast.SelectionSet, depth int) {
	if depth > maxOverlapDepth {
		return
	}
	keys := map[string]*overlap{}
	spread := map[string]bool{}
	for _, set := range sets {
		o.collect(set, keys, spread)
	}
	o.comparisons += len(spread)*len(spread) + len(keys)*len(keys)/keysPerComparison
	for _, k := range keys {
		o.comparisons += k.count * k.count
		if o.tooMany() {
			return
		}
		if len(k.below) > 0 {
			o.object(k.below, depth+1)
		}
	}
}

// overlap is the number of selections of a response key, and the selections below it.
type overlap struct {
	count int
	below []ast.SelectionSet
}

func (o *overlaps) collect(set ast.SelectionSet, keys map[string]*overlap, spread map[string]bool) {
	for _, selection := range set {
		if o.tooMany() {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			o.fields++
			k := keys[s.Alias]
			if k == nil {
				k = &overlap{}
				keys[s.Alias] = k
			}
			k.count++
			if len(s.SelectionSet) > 0 {
				k.below = append(k.below, s.SelectionSet)
			}
		case *ast.InlineFragment:
			o.fields++
			o.collect(s.SelectionSet, keys, spread)
		case *ast.FragmentSpread:
			o.fields++
			if fragment := o.fragments.ForName(s.Name); fragment != nil && !spread[s.Name] {
				spread[s.Name] = true
				o.collect(fragment.SelectionSet, keys, spread)
			}
		}
	}
}
