package keyspec_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

// A cellar: racks of bottles, whose keys are separated by # and whose items expire.
var cellar = &keyspec.Table{Name: "cellar", PK: "pk", SK: "sk", Separator: "#", Expiry: "EndsAt", Precision: time.Millisecond, Unversioned: true}

type rack struct {
	Cellar  string            `dynamo:"cellar,keyonly"`
	Name    string            `dynamo:"name,keyonly"`
	Owners  keyspec.Set       `dynamo:"owners"`
	Bottles map[string]bottle `dynamo:"bottles"`
	Count   int               `dynamo:"count,zero"`
	MadeAt  time.Time         `dynamo:"madeAt"`
}

type bottle struct {
	Name   string           `dynamo:"name"`
	Litres *keyspec.Numeral `dynamo:"litres,null"`
}

var racks = keyspec.Define[rack](cellar, keyspec.Row{Key: keyspec.K("{cellar}", "rack#{name}")})

// openCellar also returns the client, for access to stored items.
func openCellar(t *testing.T) (*keyspec.DB, *engine.Engine) {
	t.Helper()
	eng := enginetest.Memory(t)
	db := keyspec.Open(dynamo.NewFromIface(eng), "", cellar)
	if err := db.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db, eng
}

func litres(n keyspec.Numeral) *keyspec.Numeral { return &n }

func TestPartsOfAttributesChangeByThemselves(t *testing.T) {
	db, eng := openCellar(t)
	run := func(change func(u keyspec.Update) keyspec.Update) error {
		tx := db.NewTx()
		u := change(racks.Update(tx, racks.Key("c/1", "r#1")))
		err := tx.Run(t.Context())
		if err != nil && !keyspec.Refused(err, u) {
			t.Fatal(err)
		}
		return err
	}
	shown := func() string {
		t.Helper()
		r, err := racks.Get(t.Context(), db, racks.Key("c/1", "r#1"))
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(r.Owners, r.Count)
		for _, id := range []string{"a", "b"} {
			if b, ok := r.Bottles[id]; ok && b.Litres == nil {
				text += fmt.Sprint(" ", b.Name, " none")
			} else if ok {
				text += fmt.Sprint(" ", b.Name, " ", *b.Litres)
			}
		}
		return text
	}
	tx := db.NewTx()
	racks.Create(tx, rack{Cellar: "c/1", Name: "r#1", Bottles: map[string]bottle{}, Owners: keyspec.Set{"zoe", "ana"},
		MadeAt: time.Date(2026, 5, 1, 12, 0, 0, 999999999, time.UTC)})
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		change  func(u keyspec.Update) keyspec.Update
		refused bool
		want    string
	}{
		{"a new entry", func(u keyspec.Update) keyspec.Update {
			return u.SetIn(keyspec.In("bottles", "a"), bottle{Name: "Port"}).Shift("count", 1).
				If("attribute_not_exists(bottles.@) AND count < ?", "a", 2)
		}, false, "[ana zoe] 1 Port none"},
		{"the same again", func(u keyspec.Update) keyspec.Update {
			return u.SetIn(keyspec.In("bottles", "a"), bottle{Name: "Ale"}).If("attribute_not_exists(bottles.@)", "a")
		}, true, "[ana zoe] 1 Port none"},
		{"another entry", func(u keyspec.Update) keyspec.Update {
			return u.SetIn(keyspec.In("bottles", "b"), bottle{Name: "Ale", Litres: litres("0.1")})
		}, false, "[ana zoe] 1 Port none Ale 0.1"},
		{"a number within", func(u keyspec.Update) keyspec.Update {
			return u.AddIn(keyspec.In("bottles", "b", "litres"), "0.2").SetIn(keyspec.In("bottles", "b", "name"), "IPA").
				If("bottles.@.litres >= ?", "b", keyspec.Numeral("0.1"))
		}, false, "[ana zoe] 1 Port none IPA 0.3"},
		{"too little", func(u keyspec.Update) keyspec.Update {
			return u.AddIn(keyspec.In("bottles", "b", "litres"), "-0.4").If("bottles.@.litres >= ?", "b", keyspec.Numeral("0.4"))
		}, true, "[ana zoe] 1 Port none IPA 0.3"},
		{"nothing again", func(u keyspec.Update) keyspec.Update {
			return u.SetIn(keyspec.In("bottles", "b", "litres"), nil)
		}, false, "[ana zoe] 1 Port none IPA none"},
		{"an entry goes", func(u keyspec.Update) keyspec.Update {
			return u.RemoveIn(keyspec.In("bottles", "a")).Shift("count", -1).If("attribute_exists(bottles.@)", "a")
		}, false, "[ana zoe] 0 IPA none"},
		{"members", func(u keyspec.Update) keyspec.Update {
			return u.Include("owners", "ben").If("size(owners) < ?", 3)
		}, false, "[ana ben zoe] 0 IPA none"},
		{"too many members", func(u keyspec.Update) keyspec.Update {
			return u.Include("owners", "eva").If("size(owners) < ?", 3)
		}, true, "[ana ben zoe] 0 IPA none"},
		{"a member leaves", func(u keyspec.Update) keyspec.Update {
			return u.Exclude("owners", "zoe").If("contains(owners, ?) AND size(owners) > ?", "zoe", 1)
		}, false, "[ana ben] 0 IPA none"},
	} {
		if err := run(c.change); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := shown(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	out, err := eng.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("cellar"),
		Key: item{"pk": text("c/1"), "sk": text("rack#r#1")}})
	if err != nil {
		t.Fatal(err)
	}
	kept := out.Item["bottles"].(*types.AttributeValueMemberM).Value["b"].(*types.AttributeValueMemberM).Value
	if _, null := kept["litres"].(*types.AttributeValueMemberNULL); !null {
		t.Errorf("litres are stored as %#v, want NULL", kept["litres"])
	}
	if n, ok := out.Item["count"].(*types.AttributeValueMemberN); !ok || n.Value != "0" {
		t.Errorf("the count is stored as %#v, want 0", out.Item["count"])
	}
	if s := out.Item["madeAt"].(*types.AttributeValueMemberS); s.Value != "2026-05-01T12:00:00.999Z" {
		t.Errorf("a time is stored as %s", s.Value)
	}
}

func TestWrongPartsFailBeforeAnythingIsSent(t *testing.T) {
	db, _ := openCellar(t)
	for name, change := range map[string]func(u keyspec.Update){
		"no attribute":  func(u keyspec.Update) { u.SetIn(keyspec.In("barrels", "a"), 1) },
		"no map":        func(u keyspec.Update) { u.SetIn(keyspec.In("count", "a"), 1) },
		"no set":        func(u keyspec.Update) { u.Include("count", "a") },
		"key missing":   func(u keyspec.Update) { u.If("attribute_exists(bottles.@)") },
		"key of a kind": func(u keyspec.Update) { u.If("attribute_exists(bottles.@)", 1) },
	} {
		tx := db.NewTx()
		change(racks.Update(tx, racks.Key("c", "r")))
		var refused *keyspec.Conflict
		if err := tx.Run(t.Context()); err == nil || errors.As(err, &refused) {
			t.Errorf("%s: %v, want an error of the request", name, err)
		}
	}
}

func TestSeparatorIsTheTables(t *testing.T) {
	if key := racks.Key("a/b", "c"); key.String() != "cellar a/b | rack#c" {
		t.Errorf("key %s", key)
	}
	defer func() {
		if recover() == nil {
			t.Error("a slot that ends before another separator is let through")
		}
	}()
	other := &keyspec.Table{Name: "other", PK: "pk", SK: "sk", Separator: "#"}
	keyspec.Define[rack](other, keyspec.Row{Key: keyspec.K("{cellar}/x", "{name}")})
}

func TestItemsExpire(t *testing.T) {
	db, eng := openCellar(t)
	if d, err := db.Compare(t.Context()); err != nil || len(d) > 0 {
		t.Fatalf("differences %v, %v", d, err)
	}
	off := &types.TimeToLiveSpecification{AttributeName: aws.String("EndsAt"), Enabled: aws.Bool(false)}
	if _, err := eng.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("cellar"), TimeToLiveSpecification: off}); err != nil {
		t.Fatal(err)
	}
	// As after a crash between creating the table and enabling expiry.
	if d, err := db.Compare(t.Context()); err != nil || len(d) != 1 || !d[0].Missing {
		t.Fatalf("differences %v, %v, want one to be made good", d, err)
	}
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d, err := db.Compare(t.Context()); err != nil || len(d) > 0 {
		t.Errorf("differences %v, %v", d, err)
	}
}
