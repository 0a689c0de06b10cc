package archive

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"stoa/internal/kit/refusal"
)

// A file of a million columns is refused with an error of ordinary size.
func TestUnknownHeadersAreNamedInPart(t *testing.T) {
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}}}}
	_, err := OpenCSV(strings.NewReader("Name"+strings.Repeat(",x", 1<<18)+"\n"), c)
	e, ok := err.(*refusal.Error)
	if !ok || e.Reason != "HEADERS" || len(e.Text) > 1000 {
		t.Fatalf("%T %.200v", err, err)
	}
	if extra := e.Details["params"].(map[string]any)["extra"].([]string); len(extra) != maxExtra {
		t.Errorf("%d headers are named", len(extra))
	}
}

// Neither the headers of a file nor a row can make the reader hold a million cells.
func TestRowsOfTooManyCells(t *testing.T) {
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}, {Header: "Birth"}}}}
	const header, many = "Name,Birth\n", 1 << 19
	for name, test := range map[string]struct{ file, reason, text string }{
		"headers":  {strings.Repeat(",", many), "HEADERS", ""},
		"a row":    {header + "Ada,1815\n" + strings.Repeat("x,", many), "CSV", "Row 3: more than 2000 cells, but 2 headers"},
		"its rest": {header + "\"Ada\",\"" + strings.Repeat(",", 9_000) + "\"" + strings.Repeat(",", many), "CSV", "Row 2: more than 2000 cells, but 2 headers"},
	} {
		before := allocated()
		r, err := OpenCSV(strings.NewReader(test.file), c)
		for err == nil {
			_, err = r.Check()
		}
		if took := allocated() - before; took > 1<<20 {
			t.Errorf("%s: reading takes %d bytes", name, took)
		}
		if e, ok := err.(*refusal.Error); !ok || e.Reason != test.reason || test.text != "" && e.Text != test.text {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// Separators within quotes are no cells, and those of all rows do not add up.
func TestRowsOfManySeparators(t *testing.T) {
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}, {Header: "Birth"}}}}
	row := `"` + strings.Repeat(`,"",`+"\n", 9_000) + "\",\n"
	r, err := OpenCSV(strings.NewReader("Name,Birth\n"+strings.Repeat(row+",\n", 3*maxCells/9_000+1)+strings.Repeat(",\n", 3*maxCells)), c)
	rows := 0
	for ; err == nil; rows++ {
		_, err = r.Check()
	}
	if want := 2*(3*maxCells/9_000+1) + 3*maxCells + 1; rows != want || !errors.Is(err, io.EOF) {
		t.Errorf("%d rows, want %d: %v", rows, want, err)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// A file can have a million rows in a few megabytes, which are checked before they are read.
func TestRowsAreCheckedWithoutMemory(t *testing.T) {
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}, {Header: "Birth"}}}}
	file := "Name,Birth\n" + strings.Repeat(",\n", 100_000)
	allocations := testing.AllocsPerRun(1, func() {
		r, err := OpenCSV(strings.NewReader(file), c)
		rows := 0
		for ; err == nil; rows++ {
			_, err = r.Check()
		}
		if rows != 100_001 || !errors.Is(err, io.EOF) {
			t.Errorf("%d rows: %v", rows, err)
		}
	})
	if allocations > 1_000 {
		t.Errorf("checking 100,000 rows takes %v allocations", allocations)
	}
}
