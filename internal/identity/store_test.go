package identity_test

import (
	"testing"

	"stoa/internal/identity"
	"stoa/internal/ops"
	"stoa/store/storetest"
)

func newStore(t testing.TB) identity.Store {
	t.Helper()
	db, _ := storetest.OpenTables(t)
	return ops.Open(db).Identities
}
