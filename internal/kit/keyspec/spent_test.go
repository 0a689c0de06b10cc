package keyspec_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/trace"
)

// All reads count towards the byte budget of a request, with any call and in any form.
func TestReadsAreSpent(t *testing.T) {
	bySDK, _ := open(t)
	_, _, direct := openWays(t)
	for form, db := range map[string]*keyspec.DB{"by the SDK's form": bySDK, "direct": direct} {
		tx := db.NewTx()
		books.Create(tx, book{BookID: "1", Title: strings.Repeat("x", 1000), SoldAt: stampAt(1), Tags: []string{strings.Repeat("y", 1000)}})
		if err := tx.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for name, read := range map[string]func(ctx context.Context) error{
			"get": func(ctx context.Context) error {
				_, err := books.Get(ctx, db, books.Key("1"))
				return err
			},
			"batch": func(ctx context.Context) error {
				b := db.NewBatch()
				books.Fetch(b, books.Key("1"))
				loans.Fetch(b, loans.Key("1", "r"))
				return b.Run(ctx)
			},
			"partition": func(ctx context.Context) error {
				return db.Partition(ctx, "book/1", books.Each(func(book) {}))
			},
			"scan": func(ctx context.Context) error {
				_, _, err := books.Scan(ctx, db, keyspec.Page{Limit: 10})
				return err
			},
			"query": func(ctx context.Context) error {
				_, _, err := books.Begins(keyspec.Primary, "1").Page(ctx, db, keyspec.Page{Limit: 10})
				return err
			},
		} {
			enough, _ := trace.CountCalls(t.Context(), 5000)
			if err := read(enough); err != nil {
				t.Errorf("%s, %s: %v", form, name, err)
			}
			little, _ := trace.CountCalls(t.Context(), 1999)
			if err := read(little); !errors.Is(err, trace.ErrReadTooMuch) {
				t.Errorf("%s, %s: more is read than may be: %v", form, name, err)
			}
		}
	}
}
