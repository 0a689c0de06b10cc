package keyspec_test

import (
	"context"
	"reflect"
	"testing"

	"stoa/internal/kit/keyspec"
)

func TestItemsSurviveTheTable(t *testing.T) {
	ctx, db := context.Background(), open(t)
	b, l, p := books.Sample(1), loans.Sample(2), places.Sample(3)

	tx := db.NewTx()
	books.Create(tx, b)
	loans.Create(tx, l)
	places.Create(tx, p)
	if err := tx.Run(ctx); err != nil {
		t.Fatal(err)
	}

	batch := db.NewBatch()
	gotBook := books.Fetch(batch, books.KeyOf(&b), books.Key("nobody"), books.KeyOf(&b))
	gotLoan := loans.Fetch(batch, loans.KeyOf(&l))
	gotPlace := places.Fetch(batch, places.KeyOf(&p))
	if err := batch.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if got := gotBook.At(0); !reflect.DeepEqual(got, &b) || gotBook.At(2) != got {
		t.Errorf("book: got %+v, want %+v", got, b)
	}
	if got := gotBook.At(1); got != nil {
		t.Errorf("absent book: got %+v", got)
	}
	if got := gotLoan.At(0); !reflect.DeepEqual(got, &l) {
		t.Errorf("loan: got %+v, want %+v", got, l)
	}
	if got := gotPlace.At(0); !reflect.DeepEqual(got, &p) {
		t.Errorf("place: got %+v, want %+v", got, p)
	}

	got, err := books.Get(ctx, db, books.KeyOf(&b))
	if err != nil || !reflect.DeepEqual(got, &b) {
		t.Errorf("get: got %+v, %v", got, err)
	}
	for _, id := range []string{"", "none"} {
		if got, err := books.Get(ctx, db, books.Key(id)); got != nil || err != nil {
			t.Errorf("get %q: got %+v, %v, want nothing", id, got, err)
		}
	}
	_ = keyspec.Page{}
}
