package app_test

import (
	"fmt"
	"strings"
	"testing"
)

// Places with a common prefix are read for all callers together, so the byte budget of an
// operation does not apply.
func TestManyPlacesStartAlike(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		long := strings.Repeat(", of the long name", 13)
		for n := range 18 {
			var rows []vars
			for i := range 500 {
				id := n*500 + i + 1
				name := fmt.Sprintf("Marlow %d", id)
				rows = append(rows, vars{"id": fmt.Sprint(id), "name": name, "fullName": name + long, "level": 1, "count": id})
			}
			w.Does("oz", loadPlaces, vars{"r": rows})
		}
		if got := w.Does("", `{ places(prefix: "ma", count: 1) { name } }`).Text("places.0.name"); got != "Marlow 9000" {
			t.Errorf("the best of 9,000 places of half a kilobyte is %s", got)
		}
	})
}
