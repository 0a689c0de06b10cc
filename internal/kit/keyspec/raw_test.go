package keyspec_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/keyspec"
)

var (
	byCarOwner = &keyspec.Index{Name: "GSI-A1", PK: "a1PK", SK: "a1SK"}
	garage     = &keyspec.Table{Name: "garage", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{byCarOwner}}
)

type car struct {
	Plate string    `dynamo:"plate"`
	Owner string    `dynamo:"owner"`
	Since time.Time `dynamo:"since,keyonly"`
	Seats int       `dynamo:"seats"`
	Open  *bool     `dynamo:"open"`
	Tags  []string  `dynamo:"tags"`
}

var cars = keyspec.Define[car](garage, keyspec.Row{
	Key: keyspec.K("car/{plate}", "-"),
	On:  keyspec.Indexes{byCarOwner: keyspec.K("owner/{owner}", "since/{since}")},
})

// Strings that were read do not change with the buffer they were read from.
func TestRawTextsRemain(t *testing.T) {
	eng := enginetest.Memory(t)
	db := keyspec.Open(dynamo.NewFromIface(eng), "", garage)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	put := func(round int) {
		bulk := db.NewBulk()
		for i := range 200 {
			cars.PutIn(bulk, car{Plate: fmt.Sprintf("%03d", i), Owner: "ann", Since: stampAt(i), Seats: round, Tags: []string{fmt.Sprint("tag", round)}})
		}
		if err := bulk.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	page, _, err := cars.Begins(byCarOwner, "ann").Page(t.Context(), db, keyspec.Page{Limit: 200})
	if err != nil || len(page) != 200 {
		t.Fatal(len(page), err)
	}
	for round := range 20 {
		put(round + 2)
	}
	for i, c := range page {
		if c.Plate != fmt.Sprintf("%03d", i) || c.Owner != "ann" || c.Seats != 1 || c.Tags[0] != "tag1" {
			t.Fatalf("car %d is now %+v", i, c)
		}
	}
}

func TestRawErrorsPass(t *testing.T) {
	eng, err := engine.OpenMemory() // closed by the test
	if err != nil {
		t.Fatal(err)
	}
	db := keyspec.Open(dynamo.NewFromIface(eng), "", garage)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	tx := db.NewTx()
	cars.Put(tx, cars.Sample(1))
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	show := func(raw.Item) error { return stop }
	if _, err := eng.ReadRange(t.Context(), raw.Range{Table: "garage", Index: "GSI-A1", Hash: "owner/owner-1", Limit: 5}, show); !errors.Is(err, stop) {
		t.Errorf("ReadRange = %v, want what show said", err)
	}
	if err := eng.ReadItems(t.Context(), "garage", []raw.Key{{Hash: "car/none", Sort: "-"}, {Hash: "car/plate-1", Sort: "-"}}, func(i int, _ raw.Item) error {
		return fmt.Errorf("item %d: %w", i, stop)
	}); err == nil || err.Error() != "item 1: stop" {
		t.Errorf("ReadItems = %v, want what show said about the item that exists", err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := cars.Get(t.Context(), db, cars.Key("plate-1")); err == nil {
		t.Error("a closed engine is read")
	}
}
