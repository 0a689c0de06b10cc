package keyspec_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"stoa/internal/kit/keyspec"
)

// TestReleasedMemoryHoldsNothing reads rich items and poor ones by turns, in batches of
// all sizes and from several goroutines: what one read must not show in the next.
func TestReleasedMemoryHoldsNothing(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		stored := make([]book, 40)
		write(t, db, func(tx *keyspec.Tx) {
			for i := range stored {
				stored[i] = book{BookID: fmt.Sprint(i)}
				if i%2 == 0 {
					stored[i] = books.Sample(i)
					stored[i].BookID = fmt.Sprint(i)
				}
				books.Create(tx, stored[i])
			}
		})
		read := func(size, from int) error {
			b := db.NewBatch()
			defer b.Release()
			index := func(i int) int { return (from + i) % len(stored) }
			found := books.FetchEach(b, size, func(i int) keyspec.Key { return books.KeyOf(&stored[index(i)]) })
			none := books.Fetch(b, books.Key("none"))
			if err := b.Run(t.Context()); err != nil {
				return err
			}
			for i := range size {
				if got := found.At(i); got == nil || !reflect.DeepEqual(*got, stored[index(i)]) {
					return fmt.Errorf("batch of %d: got %+v, want %+v", size, got, stored[index(i)])
				}
			}
			if found.Len() != size || none.At(0) != nil {
				return fmt.Errorf("batch of %d: %d places, and %+v where there is nothing", size, found.Len(), none.At(0))
			}
			return nil
		}
		visit := func(i int) error {
			var got book
			err := books.Visit(t.Context(), db, books.KeyOf(&stored[i]), func(v *book) { got = *v })
			if err == nil && !reflect.DeepEqual(got, stored[i]) {
				return fmt.Errorf("visited %+v, want %+v", got, stored[i])
			}
			return err
		}
		var readers sync.WaitGroup
		for reader := range 4 {
			readers.Go(func() {
				for round := range 60 {
					if err := read(1+round, round+reader); err != nil {
						t.Error(err)
					}
					if err := visit((round + reader) % len(stored)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		readers.Wait()
	})
}

func TestVisitOfNothing(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		for _, id := range []string{"none", ""} {
			err := books.Visit(t.Context(), db, books.Key(id), func(v *book) { t.Errorf("visited %+v", v) })
			if err != nil {
				t.Error(err)
			}
		}
	})
}
