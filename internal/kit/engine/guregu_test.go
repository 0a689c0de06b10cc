package engine

import (
	"errors"
	"reflect"
	"testing"

	"github.com/guregu/dynamo/v2"
)

// note is an item of a program that uses guregu/dynamo.
type note struct {
	PK     string            `dynamo:"pk,hash"`
	SK     int               `dynamo:"sk,range"`
	Author string            `dynamo:"author,omitempty" index:"GSI-Author,hash"`
	At     int64             `dynamo:"at,omitempty" index:"GSI-Author,range"`
	Tags   []string          `dynamo:"tags,set,omitempty"`
	Extra  map[string]string `dynamo:"extra,omitempty"`
	Count  int               `dynamo:"count"`
}

func TestThroughGuregu(t *testing.T) {
	db := dynamo.NewFromIface(memory(t))
	err := db.CreateTable("notes", note{}).OnDemand(true).Project("GSI-Author", dynamo.AllProjection).Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	notes := db.Table("notes")

	first := note{PK: "a", SK: 10, Author: "ana", At: 3, Tags: []string{"x", "y"}, Extra: map[string]string{"k": "v"}}
	if err := notes.Put(first).If("attribute_not_exists(pk)").Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := notes.Put(first).If("attribute_not_exists(pk)").Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("putting twice: %v", err)
	}
	var got note
	if err := notes.Get("pk", "a").Range("sk", dynamo.Equal, 10).One(ctx, &got); err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := notes.Get("pk", "b").Range("sk", dynamo.Equal, 1).One(ctx, &got); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("absent item: %v", err)
	}

	var updated note
	err = notes.Update("pk", "a").Range("sk", 10).Add("count", 5).Set("at", 7).Remove("extra").Value(ctx, &updated)
	if err != nil || updated.Count != 5 || updated.At != 7 || updated.Extra != nil {
		t.Errorf("updated to %+v, %v", updated, err)
	}

	var batch []any
	for i := range 60 {
		batch = append(batch, note{PK: "many", SK: i, Author: "ben", At: int64(100 - i)})
	}
	if n, err := notes.Batch().Write().Put(batch...).Run(ctx); n != len(batch) || err != nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	var page []note
	it := notes.Get("author", "ben").Index("GSI-Author").SearchLimit(50).Iter()
	for {
		var x note
		if !it.Next(ctx, &x) {
			break
		}
		page = append(page, x)
	}
	if it.Err() != nil || len(page) != 50 || page[0].SK != 59 || page[49].SK != 10 {
		t.Fatalf("page of %d, %v", len(page), it.Err())
	}
	last, err := it.LastEvaluatedKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var rest []note
	if err := notes.Get("author", "ben").Index("GSI-Author").StartFrom(last).All(ctx, &rest); err != nil || len(rest) != 10 || rest[9].SK != 0 {
		t.Errorf("rest of %d, %v", len(rest), err)
	}

	tx := db.WriteTx().Idempotent(true).
		Put(notes.Put(note{PK: "tx", SK: 1})).
		Update(notes.Update("pk", "a").Range("sk", 10).Add("count", 1)).
		Check(notes.Check("pk", "many").Range("sk", 3).If("author = ?", "ben"))
	if err := tx.Run(ctx); err != nil {
		t.Fatal(err)
	}
	tx = db.WriteTx().Idempotent(true).
		Put(notes.Put(note{PK: "tx", SK: 2})).
		Check(notes.Check("pk", "many").Range("sk", 3).If("author = ?", "cleo"))
	if err := tx.Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("failing transaction: %v", err)
	}
	var one, two note
	err = db.GetTx().GetOne(notes.Get("pk", "a").Range("sk", dynamo.Equal, 10), &one).
		GetOne(notes.Get("pk", "tx").Range("sk", dynamo.Equal, 1), &two).Run(ctx)
	if err != nil || one.Count != 6 || two.SK != 1 {
		t.Errorf("read %+v and %+v, %v", one, two, err)
	}
	var many []note
	err = notes.Batch("pk", "sk").Get(dynamo.Keys{"many", 1}, dynamo.Keys{"many", 2}, dynamo.Keys{"tx", 2}).All(ctx, &many)
	if err != nil || len(many) != 2 {
		t.Errorf("batch of %d, %v", len(many), err)
	}
	if err := notes.DeleteTable().Wait(ctx); err != nil {
		t.Error(err)
	}
}
