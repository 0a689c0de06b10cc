package ops_test

import (
	"reflect"
	"testing"

	"stoa/internal/ops"
)

func TestImportsAreRememberedUntilTheyFinish(t *testing.T) {
	s, _ := open(t)
	check := func(want *ops.Import) {
		t.Helper()
		if got, err := s.Imports.Load(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	check(nil)
	for _, i := range []ops.Import{
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
