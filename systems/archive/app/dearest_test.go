package app_test

import (
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/hostile"
)

// No query of somebody without an account is dear, whichever field it asks for as often as
// it may.
func TestNothingDearIsAnonymous(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for each field some thousand times")
	}
	test(t, func(w *world) {
		w.is("READER", "nobody")
		w.loadsAll(gazetteerFile(t), "50 places: 50 new, 0 changed, 0 as they were.\n")
		settings := placeSettings()
		settings["abbreviations"], settings["typeWords"] = vars{"co": "county", "twp": "township"}, []string{"county", "township", "parish", "town"}
		w.Does("oz", savePlaces, vars{"i": settings})
		w.category("Censuses")
		w.People.Identity("nobody", apptest.Account{})
		ids := strings.Repeat(`"11",`, 100)
		for _, as := range []string{"", "nobody"} {
			for _, p := range w.Dearest(as, map[string]string{
				"Query.places": `prefix:"k",count:100`, "Query.place": `id:"11"`, "Query.placesById": "ids:[" + ids + "]",
				"Query.placeWords": "words:[" + strings.ReplaceAll(ids, "11", "marlow") + "]", "Query.recordsById": "ids:[" + ids + "]",
				"Query.standardizePlace": `text:"` + strings.Repeat("Marlow Co, ", 20) + `Ohio"`, "Query.category": `id:"1"`,
			})[:8] {
				t.Log(p)
				if p.CPU > hostile.Longest {
					t.Error(p)
				}
			}
		}
	})
}
