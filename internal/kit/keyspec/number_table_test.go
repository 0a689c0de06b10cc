package keyspec_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
)

// A table whose sort key is a number, an index without a sort key, values of any form and
// NULL.

var (
	letterWriters = &keyspec.Index{Name: "Writers", PK: "From"}
	letterTable   = &keyspec.Table{
		Name: "letters", PK: "Topic", SK: "SeqId", Number: true, Precision: time.Millisecond, Unversioned: true,
		Indexes: []*keyspec.Index{letterWriters},
	}
	letters = keyspec.Define[letterItem](letterTable, keyspec.Row{
		Key: keyspec.K("{Topic}", "{SeqId}"), On: keyspec.Indexes{letterWriters: keyspec.K("{From}", "")},
	})
)

type letterItem struct {
	Topic     string       `dynamo:"Topic"`
	SeqID     int          `dynamo:"SeqId"`
	From      string       `dynamo:"From"`
	DeletedAt time.Time    `dynamo:"DeletedAt,null"`
	Content   keyspec.JSON `dynamo:"Content,null"`
	Head      head         `dynamo:"Head,json,null"`
	HiddenFor []string     `dynamo:"HiddenFor"`
}

// head is a noun's text that is stored as JSON.
type head string

func letterKey(topic string, n int) keyspec.Key { return letters.Key(topic, fmt.Sprint(n)) }

func TestTablesWithNumberKey(t *testing.T) {
	bothWays(t, func(t *testing.T, db *keyspec.DB) {
		ctx := t.Context()
		if err := letterTable.Conform(ctx, db); err != nil {
			t.Fatal(err)
		}
		for n := range 12 {
			tx := db.NewTx()
			letters.Create(tx, letterItem{Topic: "t", SeqID: n + 1, From: "a", Content: `{"b":[1,null,true,{"a":"<\""}]}`, Head: `{"c":1}`, HiddenFor: []string{}})
			if err := tx.Run(ctx); err != nil {
				t.Fatal(err)
			}
		}
		var order []int
		for page := (keyspec.Page{Limit: 2, Descending: true}); ; {
			items, next, err := letters.Begins(keyspec.Primary, "t").From("3").To("11").Page(ctx, db, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				order = append(order, item.SeqID)
			}
			if page.After = next; next == "" {
				break
			}
		}
		if fmt.Sprint(order) != "[11 10 9 8 7 6 5 4 3]" {
			t.Errorf("listed %v", order)
		}
		seen := 0
		for page := (keyspec.Page{Limit: 5}); ; {
			items, next, err := letters.Scan(ctx, db, page)
			if err != nil {
				t.Fatal(err)
			}
			seen += len(items)
			if page.After = next; next == "" {
				break
			}
		}
		byWriter, _, err := letters.Begins(letterWriters, "a").Page(ctx, db, keyspec.Page{Limit: 20})
		if err != nil || len(byWriter) != 12 || seen != 12 {
			t.Errorf("%d by their writer, %d scanned, %v", len(byWriter), seen, err)
		}

		hide := func() error {
			tx := db.NewTx()
			letters.Update(tx, letterKey("t", 2)).Append("HiddenFor", "x").If("NOT contains(HiddenFor, ?) AND attribute_type(DeletedAt, ?)", "x", "NULL")
			return tx.Run(ctx)
		}
		if err := hide(); err != nil {
			t.Fatal(err)
		}
		if err := hide(); err == nil {
			t.Error("a member was appended twice")
		}
		at := time.UnixMilli(5)
		tx := db.NewTx()
		letters.Update(tx, letterKey("t", 2)).Set("DeletedAt", at).Set("Content", nil).Set("Head", head(`{"d":[2]}`))
		if err := tx.Run(ctx); err != nil {
			t.Fatal(err)
		}
		l, err := letters.Get(ctx, db, letterKey("t", 2))
		if err != nil || l == nil || !l.DeletedAt.Equal(at) || l.Content != "" || l.Head != `{"d":[2]}` || fmt.Sprint(l.HiddenFor) != "[x]" {
			t.Fatalf("got %+v, %v", l, err)
		}
		l, err = letters.Get(ctx, db, letterKey("t", 3))
		if err != nil || l.Content != `{"b":[1,null,true,{"a":"<\""}]}` || l.Head != `{"c":1}` {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}

// TestNullIsStored checks the items stored by the server.
func TestNullIsStored(t *testing.T) {
	item, err := letters.Item(letterItem{Topic: "t", SeqID: 7, From: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Topic": "*types.AttributeValueMemberS", "SeqId": "*types.AttributeValueMemberN", "DeletedAt": "*types.AttributeValueMemberNULL",
		"Content": "*types.AttributeValueMemberNULL", "Head": "*types.AttributeValueMemberNULL", "HiddenFor": "<nil>",
	} {
		if got := fmt.Sprintf("%T", item[name]); got != want {
			t.Errorf("%s is a %s, want %s", name, got, want)
		}
	}
}
