package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/hostile"
)

// No query of an anonymous identity is dear, whichever field it asks for as often as it may.
func TestNothingDearIsAnonymous(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for each field some thousand times")
	}
	test(t, func(w *world) {
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
			t.Log(p)
			if p.CPU > hostile.Longest {
				t.Error(p)
			}
		}
	})
}
