package storetest

import (
	"context"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/store"
)

// Prefix is what the names of the tables begin with.
const Prefix = "test-"

// Open makes an empty store in memory, with its tables. Calls counts from zero. The
// test fails when a counter drifts, unless it sets another report.
func Open(t testing.TB) (*store.Store, *Calls) {
	t.Helper()
	db, calls := OpenDB(t)
	s := store.Open(db, Prefix)
	s.OnDrift(func(_ context.Context, d keyspec.Drift) { t.Errorf("counter drifted: %+v", d) })
	if err := s.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	calls.Reset()
	return s, calls
}

// OpenDB makes an engine without tables.
func OpenDB(t testing.TB) (*dynamo.DB, *Calls) {
	t.Helper()
	eng, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := eng.Close(); err != nil {
			t.Errorf("close engine: %v", err)
		}
	})
	calls := faultdb.Wrap(eng)
	return dynamo.NewFromIface(calls), calls
}
