package resolve_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/resolve"
)

type numbers struct{ page.Page[int] }

func TestPage(t *testing.T) {
	empty, err := resolve.Page[numbers](page.Page[int]{}, nil)
	if err != nil || empty.Items == nil || empty.NextToken() != nil {
		t.Errorf("an empty page is %+v, %v", empty, err)
	}
	if _, err := resolve.Page[numbers](page.Page[int]{}, page.ErrLimit); refusal.KindOf(err) != refusal.BadInput {
		t.Errorf("a bad size is refused by %v", err)
	}
	broken := errors.New("broken")
	if p, err := resolve.Page[numbers](page.Page[int]{}, broken); p != nil || !errors.Is(err, broken) {
		t.Errorf("%v, %v", p, err)
	}
	if args := resolve.Args(new(3), new("x")); *args.Limit != 3 || *args.NextToken != "x" {
		t.Errorf("arguments %+v", args)
	}
}

func TestArguments(t *testing.T) {
	if e := resolve.Edit(graphql.OmittableOf(new("a"))); !e.Given || *e.Value != "a" {
		t.Errorf("a given part is %+v", e)
	}
	if e := resolve.Edit(graphql.OmittableOf[*string](nil)); !e.Given || e.Value != nil {
		t.Errorf("a part that is to be null is %+v", e)
	}
	if e := resolve.Edit(graphql.Omittable[*string]{}); e.Given {
		t.Errorf("a part that was left out is %+v", e)
	}
	if list := []int{1, 2}; !slices.Equal(resolve.Values(resolve.Pointers(list)), list) {
		t.Error("a list does not survive its way to gqlgen and back")
	}
}
