package store_test

import (
	"reflect"
	"testing"

	"stoa/store"
	"stoa/store/storetest"
)

func TestImportsAreRememberedUntilTheyFinish(t *testing.T) {
	s, _ := storetest.Open(t)
	check := func(want *store.Import) {
		t.Helper()
		if got, err := s.Imports.Load(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	check(nil)
	for _, i := range []store.Import{
		{FileID: "a"},
		{FileID: "a", Chunks: 1, Checksum: "one"},
		{FileID: "b", Chunks: 7, Checksum: "seven", Beside: true},
	} {
		if err := s.Imports.Save(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		check(&i)
	}
	for range 2 {
		if err := s.Imports.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(nil)
	}
}
