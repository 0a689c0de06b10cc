package keyspec_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"stoa/internal/kit/keyspec"
)

func TestAdvanceGivesEachNumberOnce(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		pages := keyspec.Sequence{Attribute: "pages", First: 100, Last: 1000}
		const callers, n = 20, 7
		last := make([]int64, callers)
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				var err error
				if last[i], err = books.Advance(t.Context(), db, books.Key("b"), pages, n); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		slices.Sort(last)
		for i, l := range last {
			if want := int64(99 + n*(i+1)); l != want {
				t.Errorf("block %d ends at %d, want %d", i, l, want)
			}
		}
		at := last[callers-1]
		if _, err := books.Advance(t.Context(), db, books.Key("b"), pages, int(1000-at)+1); !errors.Is(err, keyspec.ErrExhausted) {
			t.Errorf("beyond the last number: %v", err)
		}
		if got, err := books.Advance(t.Context(), db, books.Key("b"), pages, int(1000-at)); err != nil || got != 1000 {
			t.Errorf("up to the last number: %d, %v", got, err)
		}
		if _, err := books.Advance(t.Context(), db, books.Key("c"), pages, 902); !errors.Is(err, keyspec.ErrExhausted) {
			t.Errorf("of an absent item beyond the last number: %v", err)
		}
		if _, err := books.Advance(t.Context(), db, books.Key("b"), keyspec.Sequence{Attribute: "title"}, 1); err == nil {
			t.Error("a text was advanced")
		}
	})
}
