package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/systems/pantry/app"
)

// TestMutationsWhoseStoreFails executes every mutation with each of its store calls failing
// once: it must take effect completely or not at all, and repeating the request must repair
// any leftovers (pantry 5.6#2 and 6#1-14).
func TestMutationsWhoseStoreFails(t *testing.T) {
	given := func(aw *apptest.World) (v vars, code string) {
		w := &world{aw}
		w.Host.Operators = []string{"OZ@example.com"}
		w.People.Identity("oz")
		w.People.Identity("new")
		a := w.registers("a")
		b := w.joins("b", "a", a.group)
		c := w.registers("c")
		v = vars{
			"c": a.container, "to": b.container, "g": a.group, "g2": b.group, "b": b.user, "own": c.group,
			"f":   w.adds("a", a.container, vars{"name": "milk", "quantity": 2, "category": "Dairy"}),
			"old": w.adds("a", a.container, vars{"name": "egg", "expiry": "2025-01-02T00:00:00Z"}),
		}
		return v, w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
	}
	system := app.System(app.Options{})
	// Ids are the same in all worlds with the same history.
	var v vars
	var code string
	apptest.Test(t, system, func(w *apptest.World) { v, code = given(w) })
	var all []apptest.Scenario
	for _, c := range []struct {
		as, query string
		adds      bool
	}{
		{"new", `mutation { createUser(input: {name: "New"}) { id } }`, true},
		{"a", `mutation { updateUser(name: "Ann") { name } }`, true},
		{"c", `mutation { deleteUser }`, true},
		{"a", `mutation { createGroup(name: "x") { id } }`, true},
		{"a", `mutation($g: ID!) { updateGroup(id: $g, name: "x") { name } }`, true},
		{"a", `mutation($g: ID!) { deleteGroup(id: $g) }`, true},
		{"b", `mutation($g: ID!) { leaveGroup(groupId: $g) }`, true},
		{"a", `mutation($g: ID!, $b: ID!) { removeUserFromGroup(groupId: $g, userId: $b) { id } }`, true},
		{"b", `mutation($g2: ID!) { generateJoinLink(groupId: $g2) { expired } }`, true},
		{"a", `mutation($g: ID!) { revokeJoinLink(groupId: $g) }`, true},
		{"c", `mutation { joinGroup(code: "CODE") { id } }`, false},
		{"a", `mutation($g: ID!) { createContainer(groupId: $g, name: "x") { name } }`, true},
		{"a", `mutation($c: ID!) { updateContainer(id: $c, name: "x") { name } }`, true},
		{"b", `mutation($c: ID!, $g2: ID!) { moveContainer(id: $c, groupId: $g2) { name } }`, false},
		{"a", `mutation($c: ID!) { deleteContainer(id: $c) }`, true},
		{"a", `mutation($c: ID!) { addFood(containerId: $c, input: {name: "y", category: "Soup"}) { food { name } } }`, true},
		{"a", `mutation($c: ID!) { addFoods(containerId: $c, inputs: [{name: "y"}, {name: "z"}]) { foodCount } }`, true},
		{"a", `mutation($c: ID!, $f: ID!) { updateFood(containerId: $c, foodId: $f, input: {name: "y"}) { food { name } } }`, true},
		{"a", `mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f, input: {name: "y"}) { food { name } } }`, true},
		{"a", `mutation($c: ID!, $f: ID!) { adjustFoodQuantity(containerId: $c, foodId: $f, delta: -1) { food { name } } }`, true},
		{"b", `mutation($c: ID!, $f: ID!, $to: ID!) { moveFood(fromContainerId: $c, foodId: $f, toContainerId: $to) { food { name } } }`, true},
		{"a", `mutation($c: ID!, $f: ID!) { removeFood(containerId: $c, foodId: $f) { foodCount } }`, true},
		{"a", `mutation($c: ID!) { removeExpiredFoods(containerId: $c) }`, true},
		{"oz", `mutation { setCategories(names: ["Tea", "Soup"]) { name } }`, true},
		{"oz", `mutation { purgeExpiredJoinLinks }`, true},
	} {
		name, _, _ := strings.Cut(strings.TrimSpace(c.query[strings.Index(c.query, "{")+1:]), "(")
		later := time.Hour
		if strings.Contains(c.query, "purge") {
			later = 72 * time.Hour
		}
		all = append(all, apptest.Scenario{
			Name: strings.Fields(name)[0], Given: []apptest.Step{func(w *apptest.World) { given(w) }}, Later: later,
			As: c.as, Query: strings.ReplaceAll(c.query, "CODE", code), Variables: apptest.Used(c.query, v), Adds: c.adds,
		})
	}
	for _, f := range system.Schema().Schema().Mutation.Fields {
		if !slices.ContainsFunc(all, func(s apptest.Scenario) bool { return s.Name == f.Name }) {
			t.Errorf("%s is not tried", f.Name)
		}
	}
	apptest.Run(t, system, all)
}
