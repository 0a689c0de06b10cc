package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/pantry/app"
)

// BenchmarkDearest prints the cost of the most expensive operations of anonymous
// identities: each requests one field as often as its price allows, which should take at
// most about 50 ms of CPU time.
func BenchmarkDearest(b *testing.B) {
	w := &world{apptest.Bench(b, app.System(app.Options{}))}
	h := w.registers("nobody")
	for i := range 100 {
		w.adds("nobody", h.container, vars{"name": fmt.Sprint("food ", i), "expiry": "2026-01-02T00:00:00Z"})
	}
	w.People.Identity("nobody", apptest.Account{})
	group, container := fmt.Sprintf("groupId:%q", h.group), fmt.Sprintf("containerId:%q", h.container)
	for _, p := range w.Dearest("nobody", map[string]string{
		"Query.group": "id" + group[7:], "Query.container": "id" + container[11:], "Query.groupUsers": group, "Query.groupContainers": group,
		"Query.foods": container, "Query.searchFoods": `text:"food"`,
	})[:20] {
		fmt.Println(p)
	}
	for _, p := range w.DearestMutations("nobody", nil) {
		fmt.Println(p)
	}
}
