package record

import (
	"testing"

	"stoa/systems/archive"
)

// The rows of a file that is loaded later are counted and checked, but not kept.
func TestAllRows(t *testing.T) {
	c := &archive.Collection{CollectionPlan: archive.CollectionPlan{Fields: []archive.CollectionField{{Header: "Name"}, {Header: "Age"}}}}
	for most, kept := range map[int]int{3: 3, 2: 0, -1: 0} {
		rows, n, _, err := allRows("Name,Age\nAda,36\nBen,\n,\n", c, most)
		if err != nil || n != 3 || len(rows) != kept {
			t.Errorf("of at most %d, %d of %d are kept, %v", most, len(rows), n, err)
		}
	}
}
