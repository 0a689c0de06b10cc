package record

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"stoa/systems/archive"
)

func collection(fields int) *archive.Collection {
	c := &archive.Collection{}
	for i := range fields {
		c.Fields = append(c.Fields, archive.CollectionField{Header: fmt.Sprint("h", i)})
	}
	c.HouseholdNumberHeader = &c.Fields[0].Header
	return c
}

func headers(fields int) string {
	var b strings.Builder
	for i := range fields {
		fmt.Fprintf(&b, ",h%d", i)
	}
	return b.String()[1:] + "\n"
}

// A file of 5 MiB can have more than a million rows, each with a household of its own.
func TestCheckedRowsAreNotKept(t *testing.T) {
	const rows = 200_000
	var csv strings.Builder
	csv.WriteString(headers(2))
	for i := range rows {
		fmt.Fprintf(&csv, "%d,\n", i)
	}
	s := &Service{}
	before := allocated()
	n, households, err := s.checkAll(csv.String(), collection(2))
	took := allocated() - before
	if err != nil || n != rows || households != rows {
		t.Errorf("%d rows, %d households: %v", n, households, err)
	}
	if most := uint64(150 * rows); took > most {
		t.Errorf("checking %d rows takes %d bytes, more than %d", rows, took, most)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// Cells take memory although they are empty.
func TestBlocksOfEmptyCellsAreSmall(t *testing.T) {
	const fields, rows = 500, 2_000
	c := collection(fields)
	r, err := archive.OpenCSV(strings.NewReader(headers(fields)+strings.Repeat(strings.Repeat(",", fields-1)+"\n", rows)), c)
	if err != nil {
		t.Fatal(err)
	}
	s, b, read := &Service{}, newBlock(c, 1, time.Time{}), 0
	for !b.last {
		if err := s.readInto(t.Context(), b, r, &progress{First: 1}); err != nil {
			t.Fatal(err)
		}
		if n := len(b.records) * fields; n*valueBytes > blockBytes+fields*(valueBytes+4) {
			t.Fatalf("a block has %d cells", n)
		}
		read += len(b.records)
	}
	if read != rows {
		t.Errorf("%d rows are read, want %d", read, rows)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}
