package page

import (
	"context"
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

// All iterates over the items of whole lists, one after the other, which it reads like Pages. The
// iteration stops at the first error, which comes with a zero item.
func All[T any](lists ...func(Query) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, list := range lists {
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
}

// Chunk calls do for the items of a page, up to the first error, and returns the cursor of the
// next page and the number of items, like a chunk of a fan-out. err is the error of the list.
func Chunk[T any](p Page[T], err error, do func(T) error) (next string, n int, _ error) {
	if err != nil {
		return "", 0, err
	}
	for _, item := range p.Items {
		if err := do(item); err != nil {
			return "", 0, err
		}
	}
	return p.Next, len(p.Items), nil
}

// In returns a list as a function of the query alone, for All, Each, Pages, Fill and Refill.
func In[T any](ctx context.Context, list func(context.Context, Query) (Page[T], error)) func(Query) (Page[T], error) {
	return func(q Query) (Page[T], error) { return list(ctx, q) }
}

// Of is In for a list of something, such as the members of a chat.
func Of[K, T any](ctx context.Context, list func(context.Context, K, Query) (Page[T], error), key K) func(Query) (Page[T], error) {
	return func(q Query) (Page[T], error) { return list(ctx, key, q) }
}
