package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/store"
)

// Prefix is what the names of the tables begin with.
const Prefix = "test-"

// Open makes an empty store in memory, with its tables. Calls counts from zero. The
// test fails when a counter drifts, unless it sets another report.
func Open(t testing.TB) (*store.Store, *Calls) {
	t.Helper()
	db, calls := OpenTables(t)
	return store.Open(db), calls
}

// OpenTables makes the empty tables of the social system and of the machinery in memory.
// The test fails when a counter drifts, unless it sets another report.
func OpenTables(t testing.TB) (*keyspec.DB, *Calls) {
	t.Helper()
	client, calls := OpenDB(t)
	db := keyspec.Open(client, Prefix, append(slices.Clone(store.Tables), ops.Table)...)
	db.OnDrift = func(_ context.Context, d keyspec.Drift) { t.Errorf("counter drifted: %+v", d) }
	if err := db.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	calls.Reset()
	return db, calls
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
