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
	"post requested_status":          "a post that failed keeps what was asked for last",
	"post records_loader":            "a load that was taken over stops",
	"post images_loader":             "as for records",
	"post images_loaded:SS":          "only new archives are unpacked",
	"record_post#{PostID} household": "a record is in one household at most, which is found without reading all of the post",
}

// TestTableIsAsDesigned compares table, index, keys and attributes with the design word by
// word. Both an unlisted deviation and a listed one that is none fail.
func TestTableIsAsDesigned(t *testing.T) {
	text, err := os.ReadFile("testdata/design.tsv")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{strings.Join([]string{"table", Archive.Name, Archive.PK, Archive.SK}, "\t")}
	for _, ix := range Archive.Indexes {
		got = append(got, strings.Join([]string{"index", ix.Name, ix.PK, ix.SK}, "\t"))
	}
	unused := map[string]bool{}
	for name := range ours {
		unused[name] = true
	}
	for _, line := range Archive.Lines() {
		got = append(got, rowLine(line, unused))
	}
	var want []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			want = append(want, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("not declared:\n%q", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("declared beyond the design:\n%q", line)
		}
	}
	for name := range unused {
		t.Errorf("%s is listed as a deviation, but is none", name)
	}
}

// rowLine writes a declared row as the design is written, without deviations.
func rowLine(line []string, unused map[string]bool) string {
	kinds := map[string]string{"Number": ":N", "Boolean": ":BOOL", "Map": ":M", "List": ":L", "Set": ":SS"}
	attributes := []string{}
	for attribute := range strings.SplitSeq(line[3], ", ") {
		name, kind, _ := strings.Cut(attribute, ":")
		if kind == "" && (strings.HasSuffix(name, "Count") || name == "record_count") {
			kind = "Number" // a counter
		}
		name += kinds[kind]
		if deviation := line[1] + " " + name; ours[deviation] != "" {
			delete(unused, deviation)
			continue
		}
		if name != "" && name != "-" {
			attributes = append(attributes, name)
		}
	}
	slices.Sort(attributes)
	index := ""
	if line[4] != "" {
		index = line[4] + "|" + line[5]
	}
	return strings.Join([]string{"row", line[0], line[1], index, strings.Join(attributes, " ")}, "\t")
}

// TestRowsConform proves on the engine that every row does what it declares.
func TestRowsConform(t *testing.T) {
	eng, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close() })
	db := keyspec.Open(dynamo.NewFromIface(eng), "", Archive, ops.Table)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := Archive.Conform(t.Context(), db); err != nil {
		t.Error(err)
	}
}
