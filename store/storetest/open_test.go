package storetest_test

import (
	"testing"

	"stoa/store/storetest"
)

func TestOpenMakesTheDeclaredTables(t *testing.T) {
	db, calls := storetest.OpenTables(t)
	if n := calls.Total(); n != 0 {
		t.Errorf("a fresh store has made %d calls: %v", n, calls)
	}
	differences, err := db.Compare(t.Context())
	if err != nil || len(differences) > 0 {
		t.Errorf("Compare = %+v, %v, want no difference", differences, err)
	}
	if calls.Count("DescribeTable") != 4 || calls.Total() != 4 || calls.RoundTrips() != 4 {
		t.Errorf("calls: %v in %d round trips, want DescribeTable 4 in 4", calls, calls.RoundTrips())
	}
}
