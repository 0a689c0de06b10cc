package app_test

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/pantry/app"
)

// world is pantry as served, on an empty engine. Its operator is oz, who is not registered.
type world struct{ *apptest.World }

func test(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	apptest.Test(t, app.System(app.Options{}), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		f(&world{w})
	})
}

// home contains the ids that createUser creates.
type home struct{ user, group, container string }

// registers registers a user.
func (w *world) registers(name string) home {
	w.T.Helper()
	w.People.Identity(name)
	d := w.Does(name, `mutation($n: String) { createUser(input: {name: $n}) { id groups { items { id containers { items { id } } } } } }`, vars{"n": name})
	return home{d.Text("createUser.id"), d.Text("createUser.groups.items.0.id"), d.Text("createUser.groups.items.0.containers.items.0.id")}
}

// joins registers a user and makes them a member of a group.
func (w *world) joins(name, host, group string) home {
	w.T.Helper()
	h := w.registers(name)
	w.enters(name, host, group)
	return h
}

// enters adds a user to a group.
func (w *world) enters(name, host, group string) {
	w.T.Helper()
	code := w.Does(host, `mutation($g: ID!) { generateJoinLink(groupId: $g) { code } }`, vars{"g": group}).Text("generateJoinLink.code")
	w.Does(name, `mutation($c: String!) { joinGroup(code: $c) { id } }`, vars{"c": code})
}

// adds adds a food to a container and returns its id.
func (w *world) adds(as, container string, food vars) string {
	w.T.Helper()
	return w.Does(as, `mutation($c: ID!, $f: FoodInput!) { addFood(containerId: $c, input: $f) { food { id } } }`,
		vars{"c": container, "f": food}).Text("addFood.food.id")
}

type vars = apptest.Vars
