package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// marks are the viewer's rows under some items, such as their likes of posts.
type marks[T any] struct{ rows keyspec.Fetched[T] }

// fetchMarks fetches the viewer's rows of one kind under items if they are wanted.
func fetchMarks[T any, ID ~string](b *keyspec.Batch, kind *keyspec.Entity[T], wanted bool, items []ID, viewer social.UserID) marks[T] {
	if !wanted {
		return marks[T]{}
	}
	return marks[T]{kind.FetchEach(b, len(items), func(i int) keyspec.Key { return kind.Key(string(items[i]), string(viewer)) })}
}

// at returns the viewer's row under the item at i, or nil if there is none or it was not
// wanted.
func (m marks[T]) at(i int) *T {
	if m.rows.Len() == 0 {
		return nil
	}
	return m.rows.At(i)
}
