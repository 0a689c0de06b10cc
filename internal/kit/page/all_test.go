package page_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"stoa/internal/kit/page"
)

// journal is a list of pages with three numbers each that notes what is read. It fails after
// a number of pages if fails is not 0.
type journal struct {
	numbers, fails int
	reads          []page.Query
}

var errBroken = errors.New("broken")

func (j *journal) list(q page.Query) (page.Page[int], error) {
	if j.reads = append(j.reads, q); j.fails > 0 && len(j.reads) > j.fails {
		return page.Page[int]{Items: []int{-1}}, errBroken
	}
	return pages(j.numbers)(q)
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		name                      string
		numbers, most, stop, fail int
		items, reads              int
		err                       error
	}{
		{name: "an empty list", most: page.NoLimit, reads: 1},
		{name: "a whole list", numbers: 8, most: page.NoLimit, items: 8, reads: 3},
		{name: "exactly the limit", numbers: 9, most: 3, items: 9, reads: 3},
		{name: "more than the limit", numbers: 10, most: 3, items: 9, reads: 3},
		{name: "no pages", numbers: 10},
		{name: "a caller who stops", numbers: 10, most: page.NoLimit, stop: 2, items: 6, reads: 2},
		{name: "a list that fails", numbers: 10, most: page.NoLimit, fail: 1, items: 3, reads: 2, err: errBroken},
		{name: "a list that fails behind the limit", numbers: 10, most: 1, fail: 1, items: 3, reads: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := journal{numbers: c.numbers, fails: c.fail}
			var items []int
			var failed error
			seen := 0
			for p, err := range page.Pages(c.most, j.list) {
				failed, items = err, append(items, p.Items...)
				if seen++; seen == c.stop {
					break
				}
			}
			if len(items) != c.items || !slices.IsSorted(items) || failed != c.err {
				t.Errorf("items %v, %v; want %d, %v", items, failed, c.items, c.err)
			}
			var want []page.Query
			for n := range c.reads {
				q := page.Query{First: page.Max}
				if n > 0 {
					q.After = fmt.Sprint(3 * n)
				}
				want = append(want, q)
			}
			if !slices.Equal(j.reads, want) {
				t.Errorf("reads %v, want %v", j.reads, want)
			}
		})
	}
}

func TestAll(t *testing.T) {
	for _, c := range []struct {
		name                string
		numbers, stop, fail int
		items, reads        int
		err                 error
	}{
		{name: "an empty list", reads: 1},
		{name: "a whole list", numbers: 8, items: 8, reads: 3},
		{name: "a caller who stops within a page", numbers: 10, stop: 4, items: 4, reads: 2},
		{name: "a caller who stops at the end of a page", numbers: 10, stop: 3, items: 3, reads: 1},
		{name: "a list that fails", numbers: 10, fail: 2, items: 6, reads: 3, err: errBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := journal{numbers: c.numbers, fails: c.fail}
			var items []int
			var failed error
			for n, err := range page.All(j.list) {
				if failed = err; err != nil {
					if n != 0 {
						t.Errorf("an error comes with %d", n)
					}
					continue
				}
				if items = append(items, n); len(items) == c.stop {
					break
				}
			}
			if len(items) != c.items || !slices.IsSorted(items) || failed != c.err || len(j.reads) != c.reads {
				t.Errorf("items %v, %v after %d reads; want %d, %v, %d", items, failed, len(j.reads), c.items, c.err, c.reads)
			}
		})
	}
}

func TestAllOfSeveralLists(t *testing.T) {
	items := 0
	for _, err := range page.All(pages(4), pages(0), pages(5)) {
		if items++; err != nil {
			t.Error(err)
		}
	}
	if items != 9 {
		t.Errorf("%d items, want 9", items)
	}
}

func TestChunk(t *testing.T) {
	p := page.Page[int]{Items: []int{1, 2}, Next: "2"}
	done := 0
	do := func(n int) error {
		if done++; n == 3 {
			return errBroken
		}
		return nil
	}
	if next, n, err := page.Chunk(p, nil, do); next != "2" || n != 2 || done != 2 || err != nil {
		t.Errorf("%q, %d, %v after %d items", next, n, err, done)
	}
	if next, n, err := page.Chunk(p, errBroken, do); next != "" || n != 0 || done != 2 || err != errBroken {
		t.Errorf("a list that fails: %q, %d, %v after %d items", next, n, err, done)
	}
	if next, n, err := page.Chunk(page.Page[int]{Items: []int{3, 4}, Next: "4"}, nil, do); next != "" || n != 0 || done != 3 || err != errBroken {
		t.Errorf("an item that fails: %q, %d, %v after %d items", next, n, err, done)
	}
}

func TestListsAreBound(t *testing.T) {
	of := func(_ context.Context, key string, q page.Query) (page.Page[string], error) {
		return page.Page[string]{Items: []string{key}}, nil
	}
	in := func(ctx context.Context, q page.Query) (page.Page[string], error) { return of(ctx, "all", q) }
	var read []string
	for item, err := range page.All(page.In(t.Context(), in), page.Of(t.Context(), of, "one")) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, item)
	}
	if !slices.Equal(read, []string{"all", "one"}) {
		t.Errorf("read %v", read)
	}
}
