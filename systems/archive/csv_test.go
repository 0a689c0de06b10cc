package archive

import (
	"errors"
	"io"
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
