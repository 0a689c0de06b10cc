package app_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/archive/app"
)

// BenchmarkMostExpensive prints the cost of the most expensive operations without an
// account: each requests one field as often as its price allows, which should take at most
// about 50 ms of CPU time.
func BenchmarkMostExpensive(b *testing.B) {
	w := &world{World: apptest.Bench(b, app.System(app.Options{}))}
	w.Host.Operators = []string{"OZ@example.com"}
	w.is("READER", "nobody")
	w.loadsAll(gazetteerFile(b), "50 places: 50 new, 0 changed, 0 unchanged.\n")
	settings := placeSettings()
	settings["abbreviations"], settings["typeWords"] = vars{"co": "county", "twp": "township"}, []string{"county", "township", "parish", "town"}
	w.Does("oz", savePlaces, vars{"i": settings})
	w.category("Censuses")
	w.People.Identity("nobody", apptest.Account{})
	ids := strings.Repeat(`"11",`, 100)
	for _, as := range []string{"", "nobody"} {
		for _, p := range w.QueryCosts(as, map[string]string{
			"Query.places": `prefix:"k",count:100`, "Query.place": `id:"11"`, "Query.placesById": "ids:[" + ids + "]",
			"Query.placeWords": "words:[" + strings.ReplaceAll(ids, "11", "marlow") + "]", "Query.recordsById": "ids:[" + ids + "]",
			"Query.standardizePlace": `text:"` + strings.Repeat("Marlow Co, ", 20) + `Ohio"`, "Query.category": `id:"1"`,
		})[:8] {
			fmt.Println(p)
		}
		for _, p := range w.MutationCosts(as, nil) {
			fmt.Println(p)
		}
	}
}
