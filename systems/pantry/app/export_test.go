package app_test

import (
	"archive/zip"
	"bytes"
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
	var to bytes.Buffer
	if err := w.Host.Desk.Service.WriteExport(w.T.Context(), viewer.UserID(user), &to); err != nil {
		w.T.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(to.Bytes()), int64(to.Len()))
	if err != nil {
		w.T.Fatal(err)
	}
	r, err := z.Open("pantry/foods.json")
	if err != nil {
		w.T.Fatal(err)
	}
	var foods []struct{ Name string }
	if err := json.NewDecoder(r).Decode(&foods); err != nil {
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
