package store

import (
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
)

// TestRowsDoWhatTheyDeclare puts a sample of every row, finds it through every index,
// changes and deletes it.
func TestRowsDoWhatTheyDeclare(t *testing.T) {
	eng, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	s := Open(dynamo.NewFromIface(eng), "test-")
	if err := s.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []*keyspec.Table{Main, Feed, Ops} {
		if err := table.Conform(t.Context(), s.db); err != nil {
			t.Error(err)
		}
	}
}
