package store

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

// ours are attributes that the design does not have, with the reason.
var ours = map[string]string{
	"USER#{Id} FoundedCount":                          "an account with communities is not deleted: a condition, not a query",
	"GROUPCHAT#{ChatId} USER#{UserId} CountedKey":     "what UnreadCount counts, so that nothing is counted twice",
	"GROUPCHAT#{ChatId} USER#{UserId} UnreadCount":    "unread counts of a list of chats are read with the memberships",
	"PRIVATECHAT#{ChatId} USER#{UserId} CountedKey":   "as in group chats",
	"PRIVATECHAT#{ChatId} USER#{UserId} UnreadCount":  "as in group chats",
	"PRIVATECHAT#{ChatId} USER#{UserId} JoinedAt":     "as in group chats",
	"USER#{UserId} PENDING#GROUPCHAT#{ChatId} UserId": "read without taking keys apart",
	"USER#{UserId} PENDING#GROUPCHAT#{ChatId} ChatId": "read without taking keys apart",
}

// TestTablesAreAsDesigned compares tables, indexes, keys and attributes with the design
// word by word.
func TestTablesAreAsDesigned(t *testing.T) {
	text, err := os.ReadFile("testdata/design.tsv")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*keyspec.Table{}
	var want, got []string
	for _, table := range Tables {
		byName[table.Name] = table
		line := "table\t" + table.Name + "\t" + table.PK + "\t" + table.SK + "\t" + table.Expiry
		got = append(got, strings.TrimRight(line, "\t"))
		for _, ix := range table.Indexes {
			got = append(got, strings.Join([]string{"index", table.Name, ix.Name, ix.PK, ix.SK}, "\t"))
		}
		for _, line := range table.Lines() {
			got = append(got, rowLine(table, line))
		}
	}
	unused := map[string]bool{}
	for name := range ours {
		unused[name] = true
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if cells[0] == "row" {
			attributes := strings.Fields(cells[5])
			for name := range ours {
				if own, ok := strings.CutPrefix(name, strings.TrimSpace(cells[2]+" "+cells[3])+" "); ok && !strings.Contains(own, " ") {
					kind := ""
					if strings.HasSuffix(own, "Count") {
						kind = ":N"
					}
					if !slices.Contains(attributes, own) {
						attributes = append(attributes, own+kind)
					}
					delete(unused, name)
				}
			}
			slices.Sort(attributes)
			cells[5] = strings.Join(slices.Compact(attributes), " ")
			line = strings.Join(cells, "\t")
		}
		want = append(want, line)
	}
	slices.Sort(want)
	slices.Sort(got)
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("not declared:\n%s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("declared beyond the design:\n%s", line)
		}
	}
	for name := range unused {
		t.Errorf("%s is listed as a deviation, but is of no row", name)
	}
}

// rowLine writes a declared row as the design is written.
func rowLine(table *keyspec.Table, line []string) string {
	var indexes, attributes []string
	for i, ix := range table.Indexes {
		if pk := line[4+2*i]; pk != "" {
			indexes = append(indexes, ix.Name+"="+pk+"|"+line[5+2*i])
		}
	}
	kinds := map[string]string{"Number": ":N", "Boolean": ":BOOL", "Map": ":M", "List": ":L", "Set": ":SS"}
	for _, attribute := range strings.Split(line[3], ", ") {
		name, kind, _ := strings.Cut(attribute, ":")
		if kind == "" && strings.HasSuffix(name, "Count") {
			kind = "Number"
		}
		attributes = append(attributes, name+kinds[kind])
	}
	slices.Sort(attributes)
	return strings.Join([]string{"row", table.Name, line[0], line[1], strings.Join(indexes, " "), strings.Join(attributes, " ")}, "\t")
}

// TestRowsConform proves on the engine that every row does what it declares.
func TestRowsConform(t *testing.T) {
	eng, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close() })
	db := keyspec.Open(dynamo.NewFromIface(eng), "", append(slices.Clone(Tables), ops.Table)...)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range append(slices.Clone(Tables), ops.Table) {
		if err := table.Conform(t.Context(), db); err != nil {
			t.Error(err)
		}
	}
}
