package page_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/page"
)

// pages returns a list of n pages with three numbers each.
func pages(n int) func(page.Query) (page.Page[int], error) {
	return func(q page.Query) (page.Page[int], error) {
		from := 0
		fmt.Sscan(q.After, &from)
		p := page.Page[int]{}
		for i := from; i < min(from+3, n); i++ {
			p.Items = append(p.Items, i)
		}
		if from+3 < n {
			p.Next = fmt.Sprint(from + 3)
		}
		return p, nil
	}
}

func TestEach(t *testing.T) {
	var done []int
	err := page.Each(t.Context(), pages(20), func(i int) error {
		if done = append(done, i); i > 3 {
			return fmt.Errorf("fault %d", i)
		}
		return nil
	})
	if len(done) != 20 || !slices.IsSorted(done) {
		t.Errorf("done %v", done)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 11 || lines[0] != "fault 4" || lines[10] != "and 6 more" {
		t.Errorf("%q", lines)
	}
	broken := errors.New("broken")
	if err := page.Each(t.Context(), func(page.Query) (page.Page[int], error) { return page.Page[int]{}, broken }, func(int) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("a list that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	if err := page.Each(ctx, pages(20), func(int) error { n++; cancel(); return nil }); !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("cancelled after %d: %v", n, err)
	}
}
