// Package designtest compares a system with its design: its declared tables, also with their
// printed form and their behaviour on an engine.
package designtest

import (
	"bytes"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/keyspec"
)

var update = flag.Bool("update", false, "rewrite SCHEMA.md")

// SchemaIsFresh compares SCHEMA.md of the package under test, which is at a path in the
// module, with the output of write.
func SchemaIsFresh(t *testing.T, path string, write func(io.Writer) error) {
	t.Helper()
	var want bytes.Buffer
	if err := write(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("SCHEMA.md", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("SCHEMA.md is not what the declarations say: run go test ./%s -run Fresh -update", path)
	}
}

// RowsConform verifies on an engine that every row of the tables behaves as declared.
func RowsConform(t *testing.T, tables ...*keyspec.Table) {
	t.Helper()
	db, _ := Open(t, "", tables...)
	for _, table := range tables {
		if err := table.Conform(t.Context(), db); err != nil {
			t.Error(err)
		}
	}
}

// AsDesigned compares tables, indexes, keys and attributes literally with a design. The
// design is a file of lines with tab-separated cells; # starts a comment:
//
//	table	name	partition key	sort key	attribute by which items expire
//	index	table	name	partition key	sort key
//	row	table	partition key	sort key	INDEX=partition|sort …	attribute attribute:N …
//
// Ours lists additional attributes, with the reason, by the keys of their row:
// "USER#{Id} FoundedCount". An attribute in it that is part of the design, or of no row, is
// also an error.
func AsDesigned(t *testing.T, path string, tables []*keyspec.Table, ours map[string]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(string(text), tables, ours) {
		t.Error(d)
	}
}

func differences(design string, tables []*keyspec.Table, ours map[string]string) (all []string) {
	unused := map[string]bool{}
	for name := range ours {
		unused[name] = true
	}
	var want []string
	for line := range strings.Lines(design) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want = append(want, extended(line, ours, unused))
	}
	got := declared(tables)
	for _, line := range want {
		if !slices.Contains(got, line) {
			all = append(all, "not declared:\n"+line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			all = append(all, "declared beyond the design:\n"+line)
		}
	}
	for name := range unused {
		all = append(all, name+" is listed as a deviation, but is none")
	}
	return all
}

// extended returns a line of the design with the additional attributes, sorted, and removes
// them from unused.
func extended(line string, ours map[string]string, unused map[string]bool) string {
	cells := strings.Split(line, "\t")
	if cells[0] != "row" {
		return line
	}
	attributes := strings.Fields(cells[5])
	for name := range ours {
		own, ok := strings.CutPrefix(name, strings.TrimSpace(cells[2]+" "+cells[3])+" ")
		if !ok || strings.Contains(own, " ") {
			continue
		}
		kind := ""
		if strings.HasSuffix(own, "Count") {
			kind = ":N"
		}
		if !slices.Contains(attributes, own+kind) {
			attributes = append(attributes, own+kind)
			delete(unused, name)
		}
	}
	slices.Sort(attributes)
	cells[5] = strings.Join(attributes, " ")
	return strings.Join(cells, "\t")
}

// declared returns the declarations in the notation of the design.
func declared(tables []*keyspec.Table) (lines []string) {
	for _, table := range tables {
		line := "table\t" + table.Name + "\t" + table.PK + "\t" + table.SK + "\t" + table.Expiry
		lines = append(lines, strings.TrimRight(line, "\t"))
		for _, ix := range table.Indexes {
			lines = append(lines, strings.Join([]string{"index", table.Name, ix.Name, ix.PK, ix.SK}, "\t"))
		}
		for _, line := range table.Lines() {
			lines = append(lines, rowLine(table, line))
		}
	}
	return lines
}

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
