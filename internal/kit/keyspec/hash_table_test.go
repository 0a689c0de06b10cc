package keyspec_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

// A table without a sort key, an index by the table's own partition key, and scans.

var (
	placesByTown = &keyspec.Index{Name: "ByTown", PK: "townPK", SK: "townSK"}
	placesTable  = &keyspec.Table{Name: "places", PK: "PK", Separator: "#", Unversioned: true, Indexes: []*keyspec.Index{placesByTown}}
	spots        = keyspec.Define[placeItem](
		placesTable,
		keyspec.Row{Key: keyspec.K("PLACE#{Id}", ""), On: keyspec.Indexes{placesByTown: keyspec.K("TOWN#{Town}", "STREET#{Street}")}},
	)
	placeNames = keyspec.Define[placeNameItem](placesTable, keyspec.Row{Key: keyspec.K("PLACENAME#{Name}", "")})

	openIndex  = &keyspec.Index{Name: "OpenIndex", PK: "PK", SK: "OpenId"}
	taskTable  = &keyspec.Table{Name: "tasks", PK: "PK", SK: "SK", Separator: "#", Unversioned: true, Indexes: []*keyspec.Index{openIndex}}
	ownedTasks = keyspec.Define[taskItem](
		taskTable,
		keyspec.Row{Key: keyspec.K("OWNER#{Owner}", "TASK#{Id}"), On: keyspec.Indexes{openIndex: keyspec.K("OWNER#{Owner}", "{OpenId}")}},
	)
)

type placeItem struct {
	ID     string `dynamo:"Id"`
	Town   string `dynamo:"Town,keyonly"`
	Street string `dynamo:"Street,keyonly"`
	Visits int    `dynamo:"Visits,zero"`
}

type placeNameItem struct {
	Name string `dynamo:"Name,keyonly"`
	ID   string `dynamo:"PlaceId"`
}

type taskItem struct {
	Owner  string `dynamo:"Owner,keyonly"`
	ID     string `dynamo:"Id"`
	OpenID string `dynamo:"OpenId"`
}

func TestTablesWithoutSortKey(t *testing.T) {
	bothWays(t, func(t *testing.T, db *keyspec.DB) {
		ctx := t.Context()
		for _, table := range []*keyspec.Table{placesTable, taskTable} {
			if err := table.Conform(ctx, db); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 5 {
			tx := db.NewTx()
			spots.Create(tx, placeItem{ID: fmt.Sprint(i), Town: "trenton", Street: fmt.Sprint("s", i)})
			placeNames.Create(tx, placeNameItem{fmt.Sprint("n", i), fmt.Sprint(i)})
			if err := tx.Run(ctx); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[string]bool{}
		for page := (keyspec.Page{Limit: 2}); ; {
			items, next, err := spots.Scan(ctx, db, page)
			if err != nil {
				t.Fatal(err)
			}
			if next != "" && len(items) != 2 {
				t.Errorf("a page of %d", len(items))
			}
			for _, item := range items {
				seen[item.ID+item.Street] = true
			}
			if page.After = next; next == "" {
				break
			}
		}
		if len(seen) != 5 {
			t.Errorf("scanned %v", seen)
		}
		first, next, err := spots.Begins(placesByTown, "trenton").Page(ctx, db, keyspec.Page{Limit: 3})
		if err != nil || len(first) != 3 {
			t.Fatal(first, err)
		}
		rest, _, err := spots.Begins(placesByTown, "trenton").Page(ctx, db, keyspec.Page{Limit: 3, After: next})
		if err != nil || len(rest) != 2 {
			t.Error(rest, err)
		}
		for _, cursor := range []string{"!", "AAAA", "eA"} {
			if _, _, err := spots.Scan(ctx, db, keyspec.Page{Limit: 1, After: cursor}); !errors.Is(err, keyspec.ErrCursor) {
				t.Errorf("cursor %s: %v", cursor, err)
			}
		}
		tx := db.NewTx()
		spots.Update(tx, spots.Key("1")).Shift("Visits", 2).If("Visits = ?", 0)
		spots.Delete(tx, spots.Key("2")).Exists()
		if err := tx.Run(ctx); err != nil {
			t.Fatal(err)
		}
		b := db.NewBatch()
		fetched := spots.Fetch(b, spots.Key("1"), spots.Key("2"))
		if err := b.Run(ctx); err != nil || fetched.At(0) == nil || fetched.At(0).Visits != 2 || fetched.At(1) != nil {
			t.Error(fetched.At(0), fetched.At(1), err)
		}
	})
}

// An item leaves a sparse index on the table's own partition key, and keeps that key.
func TestIndexesByTheTablesOwnKey(t *testing.T) {
	bothWays(t, func(t *testing.T, db *keyspec.DB) {
		ctx := t.Context()
		tx := db.NewTx()
		for i := range 3 {
			ownedTasks.Create(tx, taskItem{Owner: "a", ID: fmt.Sprint(i), OpenID: fmt.Sprint("o", 9-i)})
		}
		if err := tx.Run(ctx); err != nil {
			t.Fatal(err)
		}
		tx = db.NewTx()
		ownedTasks.Update(tx, ownedTasks.Key("a", "1")).Remove("OpenId")
		if err := tx.Run(ctx); err != nil {
			t.Fatal(err)
		}
		open, next, err := ownedTasks.Begins(openIndex, "a").Page(ctx, db, keyspec.Page{Limit: 1})
		if err != nil || len(open) != 1 || open[0].ID != "2" || open[0].Owner != "a" {
			t.Fatal(open, err)
		}
		open, next, err = ownedTasks.Begins(openIndex, "a").Page(ctx, db, keyspec.Page{Limit: 1, After: next})
		if err != nil || len(open) != 1 || open[0].ID != "0" || next != "" {
			t.Error(open, next, err)
		}
		if all, _, err := ownedTasks.Begins(keyspec.Primary, "a").Page(ctx, db, keyspec.Page{Limit: 9}); err != nil || len(all) != 3 {
			t.Error(all, err)
		}
	})
}

// bothWays runs a test on the tables of this file, with the SDK's calls and directly.
func bothWays(t *testing.T, test func(t *testing.T, db *keyspec.DB)) {
	for _, direct := range []bool{false, true} {
		t.Run(fmt.Sprint("directly ", direct), func(t *testing.T) {
			eng := enginetest.Memory(t)
			client := dynamo.NewFromIface(&client{DynamoDBAPI: eng})
			if direct {
				client = dynamo.NewFromIface(eng)
			}
			db := keyspec.Open(client, "", placesTable, taskTable, letterTable)
			if err := db.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			test(t, db)
		})
	}
}
