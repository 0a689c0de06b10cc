package keyspec_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/keyspec"
)

// findings returns the results of Verify, by subject and problem.
func findings(t *testing.T, db *keyspec.DB) map[string]keyspec.Problem {
	t.Helper()
	found := map[string]keyspec.Problem{}
	err := db.Verify(t.Context(), func(f keyspec.Finding) {
		found[fmt.Sprintf("%s %s %s %s→%s", f.PK, f.SK, f.Attribute, f.Is, f.Want)] = f.Problem
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestVerify(t *testing.T) {
	db, client := open(t)
	tx := db.NewTx()
	books.Create(tx, book{BookID: "1", Title: "One", SoldAt: stampAt(1)})
	for i, status := range []loanStatus{"OUT", "OUT", "IN"} {
		l := loan{BookID: "1", ReaderID: fmt.Sprint("r", i), Status: status, LentAt: stampAt(i)}
		loans.Create(tx, l)
		loanCounts.Moved(tx, nil, &l)
	}
	places.Create(tx, placed{Room: "a", BookID: "1", PlacedAt: stampAt(2)})
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := findings(t, db); len(found) > 0 {
		t.Errorf("what is as declared is reported: %v", found)
	}

	// Each case is one kind of inconsistency.
	table := dynamo.NewFromIface(client).Table("test-library")
	for _, broken := range []func() error{
		func() error {
			return table.Update("pk", "book/1").Range("sk", "-").Set("loanCount", 7).Set("title", "Two").Run(t.Context())
		},
		func() error {
			return table.Update("pk", "book/1").Range("sk", "loan/r1").Set("a4PK", "ranking").Set("a4SK", 3).Run(t.Context())
		},
		func() error {
			return table.Update("pk", "book/1").Range("sk", "loan/r2").Set("readerId", "r9").Set("a1PK", "reader/r9").Run(t.Context())
		},
		func() error {
			return table.Put(map[string]any{"pk": "film/1", "sk": "-", "schemaVersion": 0}).Run(t.Context())
		},
		func() error {
			return table.Put(map[string]any{"pk": "book/2", "sk": "-", "schemaVersion": 99}).Run(t.Context())
		},
		func() error {
			item, err := loans.Item(loan{BookID: "3", ReaderID: "r", Status: "IN"})
			if err != nil {
				return err
			}
			return table.Put(item).Run(t.Context())
		},
	} {
		if err := broken(); err != nil {
			t.Fatal(err)
		}
	}
	got := findings(t, db)
	maps.DeleteFunc(got, func(subject string, p keyspec.Problem) bool {
		return p == keyspec.Unreadable && strings.HasPrefix(subject, "book/2 ")
	})
	if len(got) != len(findings(t, db))-1 {
		t.Error("an item in a later layout is not reported")
	}
	want := map[string]keyspec.Problem{
		"book/1 - loanCount 7→2":                        keyspec.WrongCount,
		"book/1 - a1PK title/One→title/Two":             keyspec.WrongKey,
		"book/1 loan/r1 a4PK ranking→":                  keyspec.WrongKey,
		"book/1 loan/r1 a4SK 3→":                        keyspec.WrongKey,
		"book/1 loan/r2  book/1 loan/r2→book/1 loan/r9": keyspec.Misplaced,
		"film/1 -  →":                                   keyspec.Unknown,
		"book/3 - pages →1":                             keyspec.Orphaned,
	}
	if !maps.Equal(got, want) {
		t.Errorf("findings %v\nwant %v", got, want)
	}

	// Repairs of keys and counters can be repeated.
	for range 2 {
		err := db.Verify(t.Context(), func(f keyspec.Finding) {
			repaired, err := db.Repair(t.Context(), f)
			if err != nil || repaired != (f.Problem == keyspec.WrongKey || f.Problem == keyspec.WrongCount) {
				t.Errorf("%s: repaired %t, %v", f, repaired, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for subject, problem := range findings(t, db) {
		if problem == keyspec.WrongKey || problem == keyspec.WrongCount {
			t.Errorf("%s: %s is left", subject, problem)
		}
	}
}

// Findings that have changed in the meantime are not repaired.
func TestRepairOfWhatHasChanged(t *testing.T) {
	db, client := open(t)
	tx := db.NewTx()
	books.Create(tx, book{BookID: "1", Title: "One", SoldAt: stampAt(1)})
	books.Create(tx, book{BookID: "2", Title: "Two", SoldAt: stampAt(1)})
	l := loan{BookID: "2", ReaderID: "r", Status: "OUT", LentAt: stampAt(1)}
	loans.Create(tx, l)
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	table := dynamo.NewFromIface(client).Table("test-library")
	set := func(pk, attribute string, v any) {
		t.Helper()
		if err := table.Update("pk", pk).Range("sk", "-").Set(attribute, v).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	set("book/1", "loanCount", 7)
	set("book/1", "a1PK", "title/Zero")
	var found []keyspec.Finding
	if err := db.Verify(t.Context(), func(f keyspec.Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	if len(found) < 3 {
		t.Fatalf("only %v", found)
	}
	set("book/1", "loanCount", 8)
	set("book/1", "a1PK", "title/Half")
	set("book/2", "loanCount", 3)
	for _, f := range found {
		if f.PK == "book/2" && f.Attribute != "loanCount" {
			continue
		}
		if repaired, err := db.Repair(t.Context(), f); repaired || err != nil {
			t.Errorf("%s: repaired %t, %v", f, repaired, err)
		}
	}
}
