package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"

	"stoa/internal/kit/gqlplan"
)

func operationOf(t *testing.T, text string, maxFields int) *gqlplan.Operation {
	t.Helper()
	schema := Executable(nil, DirectiveRoot{})
	document, errs := gqlparser.LoadQuery(schema.Schema(), text)
	if errs != nil {
		t.Fatal(errs)
	}
	return gqlplan.NewOperation(schema.(gqlplan.Schema), document, document.Operations[0], maxFields)
}

func TestWhatPlansCover(t *testing.T) {
	for _, c := range []struct {
		name, text string
		variables  map[string]any
		want       bool
	}{
		{"a query", `{ self { userId } __typename }`, nil, true},
		{"a mutation", `mutation { likeIt: onymouslyLikePost(postId: "p") { postId } }`, nil, true},
		{"nothing at all", `{ self @skip(if: true) { userId } }`, nil, true},
		{"a subscription", `subscription { onNotification(userId: "u") { type } }`, nil, false},
		{"introspection", `{ self { userId } __schema { queryType { name } } }`, nil, false},
		{"a condition that is null", `query($x: Boolean = true) { self @include(if: $x) { userId } }`, map[string]any{"x": nil}, false},
		{"more fields than there is room for", `{ self { feed { items { postId text postedBy { userId username } } } } }`, nil, false},
	} {
		if got := operationOf(t, c.text, 7).Plan(c.variables) != nil; got != c.want {
			t.Errorf("%s: planned %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPlansAreKeptForAFewCombinationsOfConditions(t *testing.T) {
	o := operationOf(t, `query($a: Boolean!, $b: Boolean!, $c: Boolean!) {
		self { userId @include(if: $a) username @skip(if: $b) ...F }
	} fragment F on User { bio @include(if: $c) }`, 100)
	kept := map[*gqlplan.Plan]bool{}
	for range 2 {
		for i := range 8 {
			if p := o.Plan(map[string]any{"a": i&1 > 0, "b": i&2 > 0, "c": i&4 > 0}); p != nil {
				kept[p] = true
			}
		}
	}
	if len(kept) != 4 {
		t.Errorf("%d plans are kept, want 4", len(kept))
	}
}

func TestPlansOfOneDocumentShareItsRoom(t *testing.T) {
	o := operationOf(t, `query($a: Boolean!) { self { userId username bio fullName @include(if: $a) } }`, 8)
	if o.Plan(map[string]any{"a": true}) == nil {
		t.Error("there is room for 5 fields")
	}
	if o.Plan(map[string]any{"a": false}) != nil {
		t.Error("there is no room for 4 more fields")
	}
}

// Fragments that spread each other twice select exponentially many fields.
func TestFragmentsThatMultiplyAreNotPlanned(t *testing.T) {
	var b strings.Builder
	b.WriteString("{ self { ...F0 } }")
	for i := range 30 {
		fmt.Fprintf(&b, " fragment F%d on User { a: followedUsers { items { ...F%d } } b: followerUsers { items { ...F%d } } }", i, i+1, i+1)
	}
	b.WriteString(" fragment F30 on User { userId }")
	if operationOf(t, b.String(), 1000).Plan(nil) != nil {
		t.Error("it is planned")
	}
}
