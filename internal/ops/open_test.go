package ops_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// open creates an empty table in memory.
func open(t testing.TB) (*ops.Store, *keyspec.DB) {
	t.Helper()
	return openWith(t)
}

// openWith creates empty tables in memory.
func openWith(t testing.TB, tables ...*keyspec.Table) (*ops.Store, *keyspec.DB) {
	t.Helper()
	eng := enginetest.Memory(t)
	db := keyspec.Open(dynamo.NewFromIface(eng), "test-", slices.Concat(tables, ops.Tables)...)
	if err := db.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	return ops.Open(db), db
}
