package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/store"
)

// Prefix is the prefix of table names.
const Prefix = "test-"

// Open returns an empty in-memory store and a count of its calls, which starts at zero. The
// test fails if a counter drifts, unless it sets another report.
func Open(t testing.TB) (*store.Store, *Calls) {
	t.Helper()
	db, calls := OpenTables(t)
	return store.Open(db), calls
}

// OpenTables creates the empty tables of the social system and of the host in memory. The
// test fails if a counter drifts, unless it sets another report.
func OpenTables(t testing.TB) (*keyspec.DB, *Calls) {
	t.Helper()
	client, calls := OpenDB(t)
	db := keyspec.Open(client, Prefix, slices.Concat(store.Tables, ops.Tables)...)
	db.OnDrift = func(_ context.Context, d keyspec.Drift) { t.Errorf("counter drifted: %+v", d) }
	if err := db.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	calls.Reset()
	return db, calls
}

// OpenDB returns an in-memory engine without tables.
func OpenDB(t testing.TB) (*dynamo.DB, *Calls) {
	t.Helper()
	eng := enginetest.Memory(t)
	calls := faultdb.Wrap(eng)
	return dynamo.NewFromIface(calls), calls
}
