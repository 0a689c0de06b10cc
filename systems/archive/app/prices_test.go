package app_test

import (
	"strings"
	"testing"
)

// What reads or writes thousands of rows has a price, so that one caller does not do several
// of these at once.
func TestPrices(t *testing.T) {
	test(t, func(w *world) {
		face := w.Host.Joined[0].Face
		for _, name := range []string{"Mutation.importRecords", "Mutation.deleteRecordsOfPost", "Mutation.loadPlaces"} {
			if face.Prices[name] < 10_000 {
				t.Errorf("%s costs %d", name, face.Prices[name])
			}
		}
		// A hundred queries, beyond the 500 that any argument with many ids costs.
		if p := face.Prices["Query.recordsById"]; p < 900 {
			t.Errorf("recordsById costs %d", p)
		}
		for name := range face.Prices {
			object, field, _ := strings.Cut(name, ".")
			if face.Schema.Schema().Types[object].Fields.ForName(field) == nil {
				t.Errorf("there is no %s", name)
			}
		}
	})
}
