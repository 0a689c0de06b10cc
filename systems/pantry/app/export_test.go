package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/viewer"
)

// exportedFoods returns the names of the foods in the export of a user.
func (w *world) exportedFoods(user string) string {
	w.T.Helper()
	var foods []struct{ Name string }
	if err := json.Unmarshal(w.Exported(viewer.UserID(user))["pantry/foods.json"], &foods); err != nil {
		w.T.Fatal(err)
	}
	var names []string
	for _, f := range foods {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

// operator 4#5: an export has the foods of all containers but those that are gone by then.
func TestExportsGoOnWithoutAContainer(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		second := w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g) { id } }`, vars{"g": a.group}).Text("createContainer.id")
		first := min(a.container, second) // as they are listed
		w.adds("a", first, vars{"name": "bread"})
		w.adds("a", max(a.container, second), vars{"name": "milk"})
		if got, want := w.exportedFoods(a.user), "bread milk"; got != want {
			t.Errorf("the export has the foods %q, want %q", got, want)
		}
		// The first container is deleted after both have been listed.
		w.Client.Arm(faultdb.After("Query", 2, func() {
			w.Does("a", `mutation($c: ID!) { deleteContainer(id: $c) }`, vars{"c": first})
		}).In(apptest.Prefix + "Pantry"))
		if got, want := w.exportedFoods(a.user), "milk"; got != want {
			t.Errorf("the export has the foods %q, want %q", got, want)
		}
	})
}
