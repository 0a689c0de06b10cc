package keyspec

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// PrintAll writes a text followed by the designs of tables.
func PrintAll(w io.Writer, text string, tables ...*Table) error {
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	for i, t := range tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Print(w); err != nil {
			return err
		}
	}
	return nil
}

// Print writes the table's design in Markdown: its indexes and a line for each row, in the
// usual columns of a single-table design.
func (t *Table) Print(w io.Writer) error {
	var b strings.Builder
	if t.SK == "" {
		fmt.Fprintf(&b, "## %s\n\nPrimary key: `%s`, without a sort key.\n\n", t.Name, t.PK)
	} else {
		fmt.Fprintf(&b, "## %s\n\nPrimary key: `%s`, `%s`.\n\n", t.Name, t.PK, sortColumn(t.SK, t.Number))
	}
	for _, ix := range t.Indexes {
		content := "all attributes"
		if ix.KeysOnly {
			content = "keys only"
		}
		key := "`" + ix.PK + "`"
		if ix.SK != "" {
			key += ", `" + ix.sortColumn() + "`"
		}
		fmt.Fprintf(&b, "- %s: %s, with %s\n", ix.Name, key, content)
	}
	if len(t.Indexes) > 0 {
		b.WriteString("\n")
	}
	if t.Expiry != "" {
		fmt.Fprintf(&b, "Items expire by `%s`.\n\n", t.Expiry)
	}
	columns := t.Columns()
	printLine(&b, columns)
	printLine(&b, make([]string, len(columns)))
	for _, line := range t.Lines() {
		for i, cell := range line {
			line[i] = code(cell)
		}
		printLine(&b, line)
	}
	t.printNotes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// printNotes writes details that have no column.
func (t *Table) printNotes(b *strings.Builder) {
	var notes []string
	for _, r := range t.sorted() {
		note := func(format string, args ...any) {
			notes = append(notes, fmt.Sprintf("- `%s` / `%s`: ", r.primary.pk.text, r.primary.sk.text)+fmt.Sprintf(format, args...))
		}
		if r.spec.Legacy {
			note("legacy, never written.")
		}
		for _, k := range r.keys {
			switch c := k.when; {
			case c.field == nil:
			case c.not:
				note("in %s unless `%s` is `%s`.", k.index.Name, c.attribute, c.value)
			default:
				note("in %s only while `%s` is `%s`.", k.index.Name, c.attribute, c.value)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(r.spec.Computed)) {
			note("`{%s}` is a part of `%s`.", name, r.spec.Computed[name].attribute)
		}
	}
	if len(notes) > 0 {
		b.WriteString("\n" + strings.Join(notes, "\n") + "\n")
	}
}

func code(cell string) string {
	if cell == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(cell, ", ", "`, `") + "`"
}

func printLine(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, cell := range cells {
		if cell == "" {
			cell = "-"
		}
		fmt.Fprintf(b, " %s |", cell)
	}
	b.WriteString("\n")
}

// sorted returns the rows sorted by key. The order of definition depends on the
// initialization order of package variables.
func (t *Table) sorted() []*row {
	return slices.SortedFunc(slices.Values(t.rows), func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.primary.pk.text, b.primary.pk.text), cmp.Compare(a.primary.sk.text, b.primary.sk.text))
	})
}

// Columns returns the titles of the columns of Lines.
func (t *Table) Columns() []string {
	columns := []string{t.PK, t.SK, versionAttribute, "attributes"}
	for _, ix := range t.Indexes {
		columns = append(columns, ix.Name+" "+ix.PK, ix.Name+" "+ix.sortColumn())
	}
	return columns
}

func (ix *Index) sortColumn() string { return sortColumn(ix.SK, ix.Number) }

func sortColumn(name string, number bool) string {
	if number {
		return name + ":Number"
	}
	return name
}

// Lines returns descriptions of the rows in the notation of their declaration, sorted by
// key: key templates, version, the attributes that are not just parts of keys, and the
// templates of each index.
func (t *Table) Lines() [][]string {
	var lines [][]string
	for _, r := range t.sorted() {
		version := strconv.Itoa(r.spec.Version)
		if t.Unversioned {
			version = ""
		}
		line := []string{r.primary.pk.text, r.primary.sk.text, version, r.attributes()}
		for _, ix := range t.Indexes {
			pk, sk := "", ""
			if k := r.on(ix); k != nil {
				pk, sk = k.pk.text, k.sk.text
			}
			line = append(line, pk, sk)
		}
		lines = append(lines, line)
	}
	return lines
}

// attributes returns a list of the stored attributes. Types are omitted for text, and for
// numbers with names ending in Count.
func (r *row) attributes() string {
	var names []string
	for _, f := range r.codec.fields {
		if f.keyOnly || r.table.isKey(f.name) {
			continue
		}
		name := f.name
		switch f.wire {
		case wireNumber:
			if !strings.HasSuffix(name, "Count") {
				name += ":Number"
			}
		case wireBool:
			name += ":Boolean"
		case wireList:
			name += ":List"
		case wireMap:
			name += ":Map"
		case wireBytes:
			name += ":Binary"
		case wireSet:
			name += ":Set"
		case wireAny:
			name += ":Any"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
