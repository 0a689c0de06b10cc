package main

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"
)

// loan is an item of a program that uses guregu/dynamo.
type loan struct {
	Book   string   `dynamo:"book,hash"`
	Number int      `dynamo:"number,range"`
	Reader string   `dynamo:"reader,omitempty" index:"GSI-Reader,hash"`
	At     int64    `dynamo:"at,omitempty" index:"GSI-Reader,range"`
	Tags   []string `dynamo:"tags,set,omitempty"`
	Count  int      `dynamo:"count"`
}

// Programs that use guregu/dynamo can make all common calls to `stoa dynamodb`.
func TestGureguThroughTheServer(t *testing.T) {
	db, ctx := dynamo.NewFromIface(sdk(start(t, "dynamodb"))), t.Context()
	if err := db.CreateTable("loans", loan{}).OnDemand(true).Project("GSI-Reader", dynamo.AllProjection).Wait(ctx); err != nil {
		t.Fatal(err)
	}
	loans := db.Table("loans")
	if d, err := loans.Describe().Run(ctx); err != nil || d.HashKey != "book" || len(d.GSI) != 1 {
		t.Errorf("described as %+v, %v", d, err)
	}

	first := loan{Book: "a", Number: 1, Reader: "ana", At: 3, Tags: []string{"x", "y"}}
	if err := loans.Put(first).If("attribute_not_exists(book)").Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := loans.Put(first).If("attribute_not_exists(book)").Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("putting twice: %v", err)
	}
	var old, now loan
	if err := loans.Put(loan{Book: "a", Number: 1, Reader: "ben", At: 4}).OldValue(ctx, &old); err != nil || !reflect.DeepEqual(old, first) {
		t.Errorf("put in the place of %+v, %v", old, err)
	}

	update := loans.Update("book", "a").Range("number", 1).Set("at", 7).Add("count", 5).AddStringsToSet("tags", "z").If("reader = ?", "ben")
	if err := update.Value(ctx, &now); err != nil || !reflect.DeepEqual(now, loan{"a", 1, "ben", 7, []string{"z"}, 5}) {
		t.Errorf("updated to %+v, %v", now, err)
	}
	if err := loans.Update("book", "a").Range("number", 1).Remove("tags").SetIfNotExists("at", 9).OldValue(ctx, &old); err != nil || !reflect.DeepEqual(old, now) {
		t.Errorf("updated from %+v, %v", old, err)
	}
	if err := loans.Update("book", "a").Range("number", 1).Set("at", 1).If("reader = ?", "cleo").Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("updating on a condition that fails: %v", err)
	}

	var many []any
	var keys []dynamo.Keyed
	for n := range 60 {
		many, keys = append(many, loan{Book: "many", Number: n, Reader: "dora", At: int64(100 - n)}), append(keys, dynamo.Keys{"many", n})
	}
	if n, err := loans.Batch().Write().Put(many...).Run(ctx); n != 60 || err != nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	var got []loan
	if err := loans.Batch("book", "number").Get(keys...).All(ctx, &got); err != nil || len(got) != 60 {
		t.Errorf("read %d, %v", len(got), err)
	}
	got = nil
	if err := loans.Get("reader", "dora").
		Index("GSI-Reader").
		Range("at", dynamo.Greater, 90).
		Order(dynamo.Descending).
		Project("number").
		All(ctx, &got); err != nil || len(got) != 10 ||
		!reflect.DeepEqual(got[9], loan{Number: 9}) {
		t.Errorf("the index has %+v, %v", got, err)
	}
	if n, err := loans.Batch("book", "number").Write().Delete(keys[:50]...).Run(ctx); n != 50 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	if n, err := loans.Scan().Filter("book = ?", "many").Count(ctx); err != nil || n != 10 {
		t.Errorf("%d are left, %v", n, err)
	}

	write := func(book, reader string) error {
		return db.WriteTx().Idempotent(true).Put(loans.Put(loan{Book: book, Number: 1})).Update(loans.Update("book", "a").Range("number", 1).Add("count", 1)).
			Delete(loans.Delete("book", "many").Range("number", 50)).Check(loans.Check("book", "many").Range("number", 51).If("reader = ?", reader)).Run(ctx)
	}
	if err := write("tx", "dora"); err != nil {
		t.Fatal(err)
	}
	if err := write("never", "cleo"); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("a transaction that fails: %v", err)
	}
	var one, two loan
	err := db.GetTx().GetOne(loans.Get("book", "a").Range("number", dynamo.Equal, 1), &one).GetOne(loans.Get("book", "tx").Range("number", dynamo.Equal, 1), &two).Run(ctx)
	if err != nil || one.Count != 6 || two.Book != "tx" {
		t.Errorf("read %+v and %+v, %v", one, two, err)
	}

	if err := loans.Delete("book", "a").Range("number", 1).If("'count' = ?", 6).OldValue(ctx, &old); err != nil || old.Count != 6 {
		t.Errorf("deleted %+v, %v", old, err)
	}
	if err := loans.Get("book", "a").Range("number", dynamo.Equal, 1).One(ctx, &one); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("read what is deleted: %v", err)
	}
	if names, err := db.ListTables().All(ctx); err != nil || !slices.Equal(names, []string{"loans"}) {
		t.Errorf("tables %v, %v", names, err)
	}
	if err := loans.DeleteTable().Wait(ctx); err != nil {
		t.Error(err)
	}
}

// Composite keys, which guregu/dynamo can declare, are refused by name.
func TestCompositeIndexKeysAreRefusedByTheServer(t *testing.T) {
	type note struct {
		PK string `dynamo:"pk,hash"`
		A  string `dynamo:"a" index:"GSI-1,hash"`
		B  string `dynamo:"b" index:"GSI-1,hash"`
	}
	err := dynamo.NewFromIface(sdk(start(t, "dynamodb"))).CreateTable("notes", note{}).OnDemand(true).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "Keys of more than one HASH and one RANGE attribute are not supported") {
		t.Errorf("got %v", err)
	}
}
