package page

import (
	"iter"
	"math"
)

// NoLimit makes Pages read a list to its end.
const NoLimit = math.MaxInt

// Pages iterates over the pages of a list, up to the given number of them. It requests pages
// of Max rows; list may change First. Each page is read when it is needed. The iteration
// stops at the first error, which comes with an empty page.
func Pages[T any](most int, list func(Query) (Page[T], error)) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		q := Query{First: Max}
		for range most {
			p, err := list(q)
			if err != nil {
				yield(Page[T]{}, err)
				return
			}
			if !yield(p, nil) || p.Next == "" {
				return
			}
			q.After = p.Next
		}
	}
}

// All iterates over the items of a whole list, which it reads like Pages. The iteration stops
// at the first error, which comes with a zero item.
func All[T any](list func(Query) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range Pages(NoLimit, list) {
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range p.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
