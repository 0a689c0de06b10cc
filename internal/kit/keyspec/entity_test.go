package keyspec_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/keyspec"
)

func TestItemsSurviveTheTable(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		b, l, p := books.Sample(1), loans.Sample(2), places.Sample(3)
		write(t, db, func(tx *keyspec.Tx) {
			books.Create(tx, b)
			loans.Create(tx, l)
			places.Create(tx, p)
		})
		if got, err := books.Get(t.Context(), db, books.KeyOf(&b)); err != nil || !reflect.DeepEqual(got, &b) {
			t.Errorf("book: got %+v, %v, want %+v", got, err, b)
		}
		if got, err := loans.Get(t.Context(), db, loans.KeyOf(&l)); err != nil || !reflect.DeepEqual(got, &l) {
			t.Errorf("loan: got %+v, %v, want %+v", got, err, l)
		}
		if got, err := places.Get(t.Context(), db, places.KeyOf(&p)); err != nil || !reflect.DeepEqual(got, &p) {
			t.Errorf("place: got %+v, %v, want %+v", got, err, p)
		}
	})
}

func TestAbsentItemsAreNil(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		c.take()
		if got, err := books.Get(t.Context(), db, books.Key("none")); got != nil || err != nil {
			t.Errorf("absent: got %+v, %v", got, err)
		}
		if got := c.take(); len(got) != 1 {
			t.Errorf("absent: calls %v, want one", got)
		}
		for _, key := range []keyspec.Key{books.Key(""), books.Key(strings.Repeat("x", 2048)), loans.Key("b", strings.Repeat("x", 1024))} {
			if got, err := books.Get(t.Context(), db, books.Key("")); got != nil || err != nil || len(c.take()) != 0 {
				t.Errorf("%.40s: got %+v, %v, want nothing without a call", key, got, err)
			}
		}
	})
}

// A book with all attributes, as changed by each case, is stored with these attributes.
func TestStoredForm(t *testing.T) {
	full := books.Sample(1)
	for _, c := range []struct {
		name   string
		change func(*book)
		want   item // nil values are absent
	}{
		{"all set", func(b *book) {}, item{
			"pk": text("book/bookId-1"), "sk": text("-"), "schemaVersion": number("2"), "bookId": text("bookId-1"),
			"title": text("title-1"), "pages": number("1"), "score": nil, "soldAt": text("2026-01-02T04:04:05.000006Z"),
			"a1PK": text("title/title-1"), "a1SK": text("-"), "a4PK": text("ranking"), "a4SK": number("1.5"),
			"k1PK": text("sold/2026-01-02"), "k1SK": text("04:04:05.000006"),
			"rare":  &types.AttributeValueMemberBOOL{Value: true},
			"tags":  &types.AttributeValueMemberL{Value: []types.AttributeValue{text("tags-1"), text("tags-2")}},
			"notes": &types.AttributeValueMemberM{Value: item{"notes": text("notes-1")}},
		}},
		{"zero text leaves its index", func(b *book) { b.Title = "" }, item{"title": nil, "a1PK": nil, "a1SK": nil}},
		{"zero time leaves its index", func(b *book) { b.SoldAt = time.Time{} }, item{"soldAt": nil, "k1PK": nil, "k1SK": nil}},
		{"nil number leaves its index", func(b *book) { b.Score = nil }, item{"a4PK": nil, "a4SK": nil}},
		{"zero behind a pointer counts", func(b *book) { b.Score, b.Rare = new(float64), new(bool) },
			item{"a4SK": number("0"), "rare": &types.AttributeValueMemberBOOL{}}},
		{"a condition that does not hold", func(b *book) { b.Kind = "GIFT" }, item{"k1PK": nil, "k1SK": nil, "kind": text("GIFT")}},
		{"zero count, nil list, nil map", func(b *book) { b.LoanCount, b.Tags, b.Notes = 0, nil, nil }, item{"loanCount": nil, "tags": nil, "notes": nil}},
		{"an empty list counts", func(b *book) { b.Tags = []string{} }, item{"tags": &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		{"zero inside an attribute counts", func(b *book) { b.Writers = []writer{{Name: "Ann"}} }, item{"writers": &types.AttributeValueMemberL{Value: []types.AttributeValue{
			&types.AttributeValueMemberM{Value: item{"name": text("Ann"), "born": number("0")}}}}}},
	} {
		b := full
		c.change(&b)
		got, err := books.Item(b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for name, want := range c.want {
			if have, ok := got[name]; want == nil && ok || want != nil && !reflect.DeepEqual(have, want) {
				t.Errorf("%s: %s is stored as %#v, want %#v", c.name, name, have, want)
			}
		}
		back, err := books.Read(got)
		if err != nil || !reflect.DeepEqual(back, b) {
			t.Errorf("%s: read back %+v, %v, want %+v", c.name, back, err, b)
		}
	}
}

func TestAlternativeStandsForAnAbsentSlot(t *testing.T) {
	got, err := loans.Item(loan{BookID: "b", ReaderID: "r"})
	if err != nil || !reflect.DeepEqual(got["k1SK"], text("~")) {
		t.Errorf("k1SK = %v, %v, want ~", got["k1SK"], err)
	}
	if _, there := got["a1PK"]; there {
		t.Error("a loan without status is in A1")
	}
}

func TestTablesWithoutVersions(t *testing.T) {
	got, err := places.Item(places.Sample(1))
	want := item{"room": text("room-1"), "bookId": text("bookId-1"), "placedAt": text("2026-01-02T04:04:05.000006Z")}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Item = %v, %v, want %v", got, err, want)
	}
}

func TestItemsThatHaveNoKey(t *testing.T) {
	for name, c := range map[string]struct {
		item func() (item, error)
		slot string
	}{
		"no id":             {func() (item, error) { return books.Item(book{Title: "x"}) }, "bookId"},
		"no part of the id": {func() (item, error) { return loans.Item(loan{BookID: "b"}) }, "readerId"},
		"separator in a slot": {func() (item, error) {
			return loans.Item(loan{BookID: "b", ReaderID: "r", Status: "A/B", LentAt: stampAt(1)})
		}, "status"},
	} {
		_, err := c.item()
		var bad *keyspec.SlotError
		if !errors.As(err, &bad) || bad.Slot != c.slot {
			t.Errorf("%s: %v, want a SlotError on %s", name, err, c.slot)
		}
	}
}

func TestReadRefusesOtherKinds(t *testing.T) {
	for attribute, av := range map[string]types.AttributeValue{
		"title": number("1"), "pages": text("1"), "loanCount": number("1.5"), "rare": text("true"), "soldAt": text("yesterday"),
		"tags": text("x"), "writers": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x")}},
		"notes": &types.AttributeValueMemberM{Value: item{"x": number("1")}},
		// The score is stored only in this key.
		"a4SK": text("high"),
	} {
		stored, err := books.Item(books.Sample(1))
		if err != nil {
			t.Fatal(err)
		}
		stored[attribute] = av
		if _, err := books.Read(stored); err == nil {
			t.Errorf("%s stored as %#v is read", attribute, av)
		}
	}
	stored, err := loans.Item(loans.Sample(1))
	if err != nil {
		t.Fatal(err)
	}
	stored["pk"] = text("shelf/1")
	if _, err := loans.Read(stored); err == nil || !strings.Contains(err.Error(), "does not fit the template book/{bookId}") {
		t.Errorf("an item of another row is read: %v", err)
	}
}

func TestNullIsAbsent(t *testing.T) {
	stored, err := books.Item(books.Sample(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, attribute := range []string{"title", "pages", "tags", "notes", "rare", "soldAt", "writers"} {
		stored[attribute] = &types.AttributeValueMemberNULL{Value: true}
	}
	got, err := books.Read(stored)
	if err != nil || got.Title != "" || got.Pages != 0 || got.Tags != nil || got.Notes != nil || got.Rare != nil || !got.SoldAt.IsZero() || got.Writers != nil {
		t.Errorf("Read = %+v, %v", got, err)
	}
}

func TestUpgrade(t *testing.T) {
	table := &keyspec.Table{Name: "t", PK: "pk", SK: "sk"}
	type thing struct {
		ID   string `dynamo:"id"`
		Name string `dynamo:"name"`
	}
	things := keyspec.Define[thing](table, keyspec.Row{
		Version: 4,
		Key:     keyspec.K("thing/{id}", "-"),
		Upgrade: map[int]func(item) error{
			1: func(i item) error { i["label"] = i["title"]; delete(i, "title"); return nil },
			2: func(i item) error { i["name"] = i["label"]; return nil },
			3: func(i item) error {
				if i["name"] == nil {
					return errors.New("no name")
				}
				return nil
			},
		},
	})
	old := item{"pk": text("thing/7"), "sk": text("-"), "id": text("7"), "title": text("Old"), "schemaVersion": number("1")}
	got, err := things.Read(old)
	if err != nil || got != (thing{"7", "Old"}) {
		t.Errorf("Read = %+v, %v", got, err)
	}
	if old["title"] == nil || old["name"] != nil {
		t.Error("the item that was read has changed")
	}
	for name, c := range map[string]struct {
		item item
		want string
	}{
		"no step":      {item{"schemaVersion": number("0")}, "no upgrade leads from version 0 to 1"},
		"failing step": {item{"schemaVersion": number("3")}, "upgrade from version 3: no name"},
		"newer":        {item{"schemaVersion": number("5")}, "start the newer program"},
		"no version":   {item{}, "has no schemaVersion"},
		"no number":    {item{"schemaVersion": number("1.5")}, "expected a whole number"},
	} {
		if _, err := things.Read(c.item); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	var newer *keyspec.NewerError
	if _, err := things.Read(item{"schemaVersion": number("5")}); !errors.As(err, &newer) || newer.Stored != 5 || newer.Known != 4 {
		t.Errorf("newer: %v", err)
	}
}

func TestSamplesDiffer(t *testing.T) {
	a, b := reflect.ValueOf(books.Sample(1)), reflect.ValueOf(books.Sample(2))
	for i := range a.NumField() {
		if x := a.Field(i); x.IsZero() || reflect.DeepEqual(x.Interface(), b.Field(i).Interface()) {
			t.Errorf("field %s is %v in both samples", a.Type().Field(i).Name, x)
		}
	}
}

func TestReadsOfOtherVersions(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		for id, version := range map[string]string{"old": "0", "new": "2"} {
			_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("test-library"), Item: item{
				"pk": text("slip/" + id), "sk": text("-"), "schemaVersion": number(version), "body": text("hello"),
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, err := slips.Get(t.Context(), db, slips.Key("old")); err != nil || *got != (slip{"old", "hello"}) {
			t.Errorf("old: %+v, %v", got, err)
		}
		var newer *keyspec.NewerError
		if _, err := slips.Get(t.Context(), db, slips.Key("new")); !errors.As(err, &newer) {
			t.Errorf("new: %v, want a NewerError", err)
		}
		b := db.NewBatch()
		slips.Fetch(b, slips.Key("old"), slips.Key("new"))
		if err := b.Run(t.Context()); !errors.As(err, &newer) {
			t.Errorf("batch: %v, want a NewerError", err)
		}
	})
}

// The type of an attribute is checked in both ways.
func TestReadsOfOtherKinds(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		for i, av := range []types.AttributeValue{
			number("1"), &types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberL{}, &types.AttributeValueMemberB{Value: []byte("x")},
		} {
			_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("test-library"), Item: item{
				"pk": text("slip/1"), "sk": text("-"), "schemaVersion": number("1"), "text": av,
			}})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := slips.Get(t.Context(), db, slips.Key("1")); err == nil || !strings.Contains(err.Error(), `attribute "text"`) {
				t.Errorf("%d: got %+v, %v", i, got, err)
			}
		}
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("test-library"), Item: item{
			"pk": text("slip/1"), "sk": text("-"), "schemaVersion": number("1"), "text": &types.AttributeValueMemberNULL{Value: true},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := slips.Get(t.Context(), db, slips.Key("1")); err != nil || got.Text != "" {
			t.Errorf("null: got %+v, %v", got, err)
		}
	})
}
