package page_test

import (
	"errors"
	"slices"
	"testing"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

func TestList(t *testing.T) {
	read := func(q page.Query) (page.Page[int], error) {
		if q.After == "" {
			return page.Page[int]{Items: []int{1, 2}, Next: "2"}, nil
		}
		return page.Page[int]{Items: []int{3}}, nil
	}
	odd := func(some []int) ([]int, error) {
		return slices.DeleteFunc(some, func(n int) bool { return n%2 == 0 }), nil
	}
	pageOf := func(token *string, operation string) (page.Page[int], error) {
		l, err := page.ListOf(page.Args{Limit: new(1), NextToken: token}, operation, "ana")
		if err != nil {
			return page.Page[int]{}, err
		}
		return page.Fill(l, read, odd)
	}
	first, err := pageOf(nil, "numbers")
	if err != nil || !slices.Equal(first.Items, []int{1}) || first.Next == "" || first.Next == "2" {
		t.Fatalf("first page %+v, %v", first, err)
	}
	second, err := pageOf(&first.Next, "numbers")
	if err != nil || !slices.Equal(second.Items, []int{3}) || second.Next != "" {
		t.Errorf("second page %+v, %v", second, err)
	}
	var r *refusal.Error
	if _, err := pageOf(&first.Next, "others"); !errors.As(err, &r) || r.Reason != "INVALID_TOKEN" {
		t.Errorf("a token of another list: %v", err)
	}
	broken := errors.New("broken")
	if _, err := page.Seal(page.List{}, page.Page[int]{}, broken); !errors.Is(err, broken) {
		t.Error(err)
	}
}
