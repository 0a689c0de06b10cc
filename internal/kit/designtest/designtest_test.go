package designtest

import (
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/keyspec"
)

var (
	shelves = &keyspec.Table{Name: "shelves", PK: "PK", SK: "SK", Separator: "#", Unversioned: true, Indexes: []*keyspec.Index{byName}}
	byName  = &keyspec.Index{Name: "ByName", PK: "NamePK", SK: "NameSK"}
	books   = keyspec.Define[bookItem](shelves, keyspec.Row{
		Key: keyspec.K("SHELF#{ShelfID}", "BOOK#{BookID}"),
		On:  keyspec.Indexes{byName: keyspec.K("NAME#{Name}", "BOOK#{BookID}")},
	})
)

type bookItem struct {
	ShelfID   string `dynamo:"ShelfID"`
	BookID    string `dynamo:"BookID"`
	Name      string `dynamo:"Name"`
	LoanCount int    `dynamo:"LoanCount,zero"`
}

const (
	table = "table\tshelves\tPK\tSK\n"
	index = "index\tshelves\tByName\tNamePK\tNameSK\n"
	row   = "row\tshelves\tSHELF#{ShelfID}\tBOOK#{BookID}\tByName=NAME#{Name}|BOOK#{BookID}\tBookID LoanCount:N Name ShelfID\n"
)

func TestAsDesigned(t *testing.T) {
	const loans = "SHELF#{ShelfID} BOOK#{BookID} LoanCount"
	for _, c := range []struct {
		name, design string
		ours         map[string]string
		want         []string
	}{
		{"as designed", "# a comment\n" + table + index + row, nil, nil},
		{"an attribute of ours", table + index + strings.Replace(row, " LoanCount:N", "", 1), map[string]string{loans: "counted"}, nil},
		{"an attribute that nobody explains", table + index + strings.Replace(row, " LoanCount:N", "", 1), nil, []string{"not declared", "declared beyond"}},
		{"an attribute that is not declared", table + index + strings.Replace(row, "Name ", "Name Title ", 1), nil, []string{"not declared", "declared beyond"}},
		{"another key", table + index + strings.Replace(row, "\tBOOK", "\tTOME", 1), nil, []string{"not declared", "declared beyond"}},
		{"an index that is not designed", table + row, nil, []string{"declared beyond"}},
		{"a deviation that is designed", table + index + row, map[string]string{loans: "counted"}, []string{loans + " is listed"}},
		{"a deviation of no row", table + index + row, map[string]string{"SHELF#{ShelfID} Nothing": "?"}, []string{"SHELF#{ShelfID} Nothing is listed"}},
	} {
		got := differences(c.design, []*keyspec.Table{shelves}, c.ours)
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRowsOfAShelfConform(t *testing.T) { RowsConform(t, shelves) }

func TestReads(t *testing.T) {
	db, reads := Open(t, "", shelves)
	b := db.NewBatch()
	books.Fetch(b, books.Key("s", "b"))
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := reads.Take(); got != "get SHELF#s | BOOK#b" {
		t.Errorf("a batch is %q", got)
	}
	for _, c := range []struct {
		of   keyspec.Range[bookItem]
		want string
	}{
		{books.Begins(keyspec.Primary, "s"), "query table, consistent: PK = SHELF#s AND begins_with(SK, BOOK#)"},
		{books.Begins(byName, "n"), "query ByName: NamePK = NAME#n AND begins_with(NameSK, BOOK#)"},
	} {
		if _, _, err := c.of.Page(t.Context(), db, keyspec.Page{Limit: 1}); err != nil {
			t.Fatal(err)
		}
		if got := reads.Take(); got != c.want {
			t.Errorf("a range is %q, want %q", got, c.want)
		}
	}
	tx := db.NewTx()
	books.Put(tx, bookItem{ShelfID: "s", BookID: "b", Name: "n"})
	books.Put(tx, bookItem{ShelfID: "s", BookID: "c", Name: "n"})
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := reads.Take(); got != "transaction" || reads.Sent == 0 {
		t.Errorf("a transaction is %q of %d bytes", got, reads.Sent)
	}
}
