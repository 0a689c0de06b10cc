package identity_test

import (
	"testing"

	"stoa/internal/identity"
	"stoa/store/storetest"
)

func newStore(t *testing.T) identity.Store {
	t.Helper()
	s, _ := storetest.Open(t)
	return s.Identities
}
