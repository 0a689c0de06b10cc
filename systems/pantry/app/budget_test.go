package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The maximum numbers of store calls, and of transactions among them.
func TestBudgets(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		for range 4 {
			g := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
			c := w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g) { id } }`, vars{"g": g}).Text("createContainer.id")
			w.adds("a", c, vars{"name": "x", "expiry": "2026-01-02T00:00:00Z"})
		}
		for range 9 {
			w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g) { id } }`, vars{"g": a.group})
		}
		x := w.adds("a", a.container, vars{"name": "x", "quantity": 1, "expiry": "2026-01-02T00:00:00Z"})
		w.registers("b")
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		v := vars{"g": a.group, "c": a.container, "f": x, "code": code}
		for _, c := range []struct {
			as, query           string
			calls, transactions int
		}{
			{"a", `{ me { name groups { items { name } } } }`, 2, 0},
			{"a", `query($g: ID!) { group(id: $g) { name containers { items { name foods { name } } } } }`, 3, 0},
			{"a", `mutation($c: ID!) { addFood(containerId: $c, input: {name: "y", category: "Soup"}) { food { id } container { foodCount } } }`, 2, 1},
			{"a", `mutation($c: ID!, $f: ID!) { adjustFoodQuantity(containerId: $c, foodId: $f, delta: 1) { food { quantity } } }`, 2, 1},
			{"b", `mutation($code: String!) { joinGroup(code: $code) { name } }`, 3, 1},
			{"a", `{ expiringFoods { items { food { name } container { name } group { name } } } }`, 7, 0},
			{"a", `mutation($c: ID!, $f: ID!) { updateFood(containerId: $c, foodId: $f, input: {name: "z"}) { food { name } } }`, 2, 1},
			{"a", `mutation($c: ID!) { updateContainer(id: $c, name: "z") { name } }`, 2, 1},
			{"a", `mutation($c: ID!, $f: ID!) { removeFood(containerId: $c, foodId: $f) { foodCount } }`, 2, 1},
			{"a", `mutation($g: ID!) { generateJoinLink(groupId: $g) { code } }`, 3, 1},
			{"a", `query($c: ID!) { container(id: $c) { foods { name addedBy { name } } group { name } } }`, 3, 0},
		} {
			w.Client.Reset()
			w.Does(c.as, c.query, apptest.Used(c.query, v))
			// Events are deleted from the outbox after the response.
			events := w.Client.Count("BatchWriteItem") + w.Client.Count("DeleteItem")
			if n := w.Client.Total() - events; n > c.calls {
				t.Errorf("%s: %d calls (%s), want at most %d", c.query, n, w.Client, c.calls)
			}
			if n := w.Client.Count("TransactWriteItems"); n != c.transactions {
				t.Errorf("%s: %d transactions (%s), want %d", c.query, n, w.Client, c.transactions)
			}
			w.Settle()
		}
		w.Whole()
	})
}

// pantry 4.1#3, 4.4 and 6#12: members of a group get the changes of its containers until they
// leave; a moved food leaves one container and joins another.
func TestWhatMembersHear(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		b := w.joins("b", "a", a.group)
		w.registers("c")
		const listen = `subscription { containerChanged(groupId: "%s") { kind containerId foodId food { name version } container { name foodCount } groupId } }`
		w.Listen("c", fmt.Sprintf(listen, a.group))
		if heard := fmt.Sprint(w.TakeHeard()["c"]); !strings.Contains(heard, "FORBIDDEN") {
			t.Errorf("an outsider who listens hears %s", heard)
		}
		w.Listen("b", fmt.Sprintf(listen, a.group))
		hears := func(want ...string) {
			t.Helper()
			w.Settle()
			got := w.TakeHeard()["b"]
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("heard %v\nwant %v", got, want)
			}
		}
		change := func(kind, container, food, shown, box string) string {
			return fmt.Sprintf(`{"containerChanged":{"kind":%q,"containerId":%q,"foodId":%s,"food":%s,"container":%s,"groupId":%q}}`, kind, container, food, shown, box, a.group)
		}
		hears()
		x := w.adds("a", a.container, vars{"name": "milk"})
		hears(change("FOOD_ADDED", a.container, `"`+x+`"`, `{"name":"milk","version":1}`, `{"name":"a's container","foodCount":1}`))
		w.Does("a", patchName, vars{"c": a.container, "f": x, "n": "cream"})
		hears(change("FOOD_UPDATED", a.container, `"`+x+`"`, `{"name":"cream","version":2}`, `{"name":"a's container","foodCount":1}`))
		w.Does("a", `mutation($c: ID!) { updateContainer(id: $c, name: "Fridge") { id } }`, vars{"c": a.container})
		hears(change("CONTAINER_RENAMED", a.container, `null`, `null`, `{"name":"Fridge","foodCount":1}`))
		w.Does(
			"b",
			`mutation($c: ID!, $f: ID!, $d: ID!) { moveFood(fromContainerId: $c, foodId: $f, toContainerId: $d) { food { version } } }`,
			vars{"c": a.container, "f": x, "d": b.container},
		)
		hears(change("FOOD_REMOVED", a.container, `"`+x+`"`, `null`, `{"name":"Fridge","foodCount":0}`))
		w.Does("a", `mutation($c: ID!) { deleteContainer(id: $c) }`, vars{"c": a.container})
		hears(change("CONTAINER_DELETED", a.container, `null`, `null`, `null`))
		w.Does("a", `mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { id } }`, vars{"g": a.group, "u": b.user})
		w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g) { id } }`, vars{"g": a.group})
		hears()
		w.Whole()
	})
}

// The job does what operators can request (pantry 5.5#9).
func TestLinksArePurgedByTheJob(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.Does("a", generate, vars{"g": a.group})
		w.Do(apptest.Later(25*time.Hour), apptest.Job("pantry.purge-join-links"))
		rows := len(w.Rows()["Pantry"])
		w.Do(apptest.Later(24*time.Hour), apptest.Job("pantry.purge-join-links"))
		if gone := rows - len(w.Rows()["Pantry"]); gone != 2 {
			t.Errorf("%d items were purged, want a link and its code", gone)
		}
		w.Whole()
	})
}

// pantry 4#paging and 3#1: a page token is bound to operation, arguments and caller, and a
// limit is 1 to 100.
func TestTokensAreBound(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.joins("b", "a", a.group)
		w.Does("a", `mutation { createGroup { id } }`)
		const users = `query($g: ID!, $t: String, $l: Int = 1) { groupUsers(groupId: $g, limit: $l, nextToken: $t) { items { id } nextToken } }`
		token := w.Does("a", users, vars{"g": a.group}).Text("groupUsers.nextToken")
		w.Does("a", users, vars{"g": a.group, "t": token})
		w.Refused("BAD_INPUT INVALID_TOKEN", "b", users, vars{"g": a.group, "t": token})
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", `query($g: ID!, $t: String) { groupContainers(groupId: $g, nextToken: $t) { items { id } } }`, vars{"g": a.group, "t": token})
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", `query($t: String) { myGroups(nextToken: $t) { items { id } } }`, vars{"t": token})
		for _, limit := range []int{0, 101, -1} {
			w.Refused("BAD_INPUT INVALID_LIMIT", "a", users, vars{"g": a.group, "l": limit})
		}
	})
}

// Whoever subscribes while a change is being committed receives it.
func TestWhoSubscribesDuringACommitHears(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.DuringCommit(func() {
			w.Listen("a", fmt.Sprintf(`subscription { containerChanged(groupId: "%s") { kind } }`, a.group))
		})
		w.adds("a", a.container, vars{"name": "milk"})
		w.Settle()
		if heard := fmt.Sprint(w.TakeHeard()["a"]); heard != `[{"containerChanged":{"kind":"FOOD_ADDED"}}]` {
			t.Errorf("heard %s", heard)
		}
	})
}
