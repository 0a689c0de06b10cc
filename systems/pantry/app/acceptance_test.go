package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The acceptance scenarios of the system, by number. Races run a hundred times.

const rounds = 100

const (
	foods     = `query($c: ID!) { container(id: $c) { foodCount version foods(sort: NAME) { id name unit quantity category expiry version createdAt updatedAt addedBy { name } } } }`
	patchName = `mutation($c: ID!, $f: ID!, $n: String!, $v: Int) { patchFood(containerId: $c, foodId: $f, input: {name: $n}, expectedVersion: $v) { food { name version } } }`
	adjust    = `mutation($c: ID!, $f: ID!, $d: Decimal!) { adjustFoodQuantity(containerId: $c, foodId: $f, delta: $d) { food { quantity version } } }`
	addFood   = `mutation($c: ID!, $f: FoodInput!) { addFood(containerId: $c, input: $f) { food { id name quantity unit version } container { foodCount version } } }`
	generate  = `mutation($g: ID!) { generateJoinLink(groupId: $g) { code expiresAt expired group { id } createdBy { name } } }`
	join      = `mutation($c: String!) { joinGroup(code: $c) { id memberCount } }`
	leave     = `mutation($g: ID!) { leaveGroup(groupId: $g) }`
	myGroups  = `{ myGroups { items { id name memberCount containers { items { id name foodCount } } } } }`
)

// pantry 7#1, 4.2#1, 5.2#1-2 and 6#1: creating a user creates a group and a container for
// them, and nothing else works before.
func TestScenario1ANewUserHasAKitchen(t *testing.T) {
	test(t, func(w *world) {
		w.People.Identity("s")
		if d := w.Does("s", `{ me { id } }`); d.At("me") != nil {
			t.Errorf("before createUser: %v", d)
		}
		w.Refused("PRECONDITION_FAILED NOT_REGISTERED", "s", myGroups)
		d := w.Does("s", `mutation { createUser(input: {name: "Sparrow"}) { name emailAddress } }`)
		w.Is(d, "createUser", `{"emailAddress":"s@example.com","name":"Sparrow"}`)
		d = w.Does("s", myGroups)
		w.Is(d, "myGroups.items.0.name", `"Sparrow's group"`)
		w.Is(d, "myGroups.items.0.containers.items.0.name", `"Sparrow's container"`)
		w.Is(d, "myGroups.items.0.containers.items.0.foodCount", `0`)
		if n := len(d.At("myGroups.items").([]any)); n != 1 {
			t.Errorf("%d groups, want 1", n)
		}
		w.Whole()
	})
}

// pantry 7#2, 4.3#1, 5.1#2 and 6#20: an address that differs only in case is taken, and
// nothing is created.
func TestScenario2AddressesAreUniqueInAnyCase(t *testing.T) {
	test(t, func(w *world) {
		w.People.Identity("a", apptest.Account{Email: "a@x.org"})
		w.registers("a")
		w.People.Identity("b", apptest.Account{Email: "A@X.org"})
		before := len(w.Rows()["Pantry"])
		w.Refused("CONFLICT EMAIL_TAKEN", "b", `mutation { createUser(input: {name: "B"}) { id } }`)
		if after := len(w.Rows()["Pantry"]); after != before {
			t.Errorf("%d items were made", after-before)
		}
		w.Is(w.Does("b", `{ me { id } }`), "me", `null`)
		w.Whole()
	})
}

// pantry 7#3, 5.1#3 and 5.1#5: the limits of names, at both ends, in characters.
func TestScenario3Names(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		name := func(n int) string { return strings.Repeat("é", n) }
		for n, want := range map[int]string{0: "BAD_INPUT INVALID_NAME", 1: "", 30: "", 31: "BAD_INPUT INVALID_NAME"} {
			w.Refused(want, "a", addFood, vars{"c": a.container, "f": vars{"name": name(n)}})
		}
		for n, want := range map[int]string{0: "BAD_INPUT INVALID_NAME", 255: "", 256: "BAD_INPUT INVALID_NAME"} {
			w.Refused(want, "a", `mutation($n: String) { createGroup(name: $n) { name } }`, vars{"n": name(n)})
		}
		w.Is(w.Does("a", `mutation { createGroup { name } }`), "createGroup.name", `"default group"`)
		w.Whole()
	})
}

// pantry 7#4, 4.1#4, 5.1#7, 5.4#5 and 6#23: quantities are decimals, cut after two digits
// and never negative.
func TestScenario4Quantities(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		for _, c := range []struct {
			given any
			want  string
		}{{1.999, "1.99"}, {0.29, "0.29"}, {nil, "null"}, {"5.40", "5.4"}, {"-0", "0"}, {0, "0"}, {999999999.999, "999999999.99"}, {"1e2", "100"}} {
			d := w.Does("a", addFood, vars{"c": a.container, "f": vars{"name": "rice", "quantity": c.given}})
			w.Is(d, "addFood.food.quantity", c.want)
		}
		for _, given := range []any{-1, "-0.001", "1e400", "NaN", "Infinity", strings.Repeat("9", 40), 1e9, "", "one", true} {
			w.Refused("BAD_INPUT INVALID_QUANTITY", "a", addFood, vars{"c": a.container, "f": vars{"name": "rice", "quantity": given}})
		}
		for literal, want := range map[string]string{
			"1.99999999999999999999999999999999999999999": "1.99", "0.1": "0.1", "7": "7", "1e-400": "0",
		} {
			d := w.Does("a", fmt.Sprintf(`mutation { addFood(containerId: %q, input: {name: "rice", quantity: %s}) { food { quantity } } }`, a.container, literal))
			w.Is(d, "addFood.food.quantity", want)
		}
		for _, literal := range []string{"1e400", "-1", strings.Repeat("9", 40)} {
			w.Refused(
				"BAD_INPUT INVALID_QUANTITY",
				"a",
				fmt.Sprintf(`mutation { addFood(containerId: %q, input: {name: "rice", quantity: %s}) { food { quantity } } }`, a.container, literal),
			)
		}
		w.Whole()
	})
}

// pantry 7#5, 2.3#3, 5.4#2-3 and 6#11: concurrent changes of two foods of a container are
// both kept.
func TestScenario5ChangesOfDifferentFoodsSurvive(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.joins("b", "a", a.group)
		x, y := w.adds("a", a.container, vars{"name": "x"}), w.adds("a", a.container, vars{"name": "y"})
		for n := range rounds {
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				return w.Asks([]string{"a", "b"}[i], patchName, vars{"c": a.container, "f": []string{x, y}[i], "n": fmt.Sprint([]string{"x", "y"}[i], n)})
			}), map[string]int{"": 2})
			d := w.Does("a", foods, vars{"c": a.container})
			if got, want := d.List("container.foods", "name"), fmt.Sprintf("x%d y%d", n, n); got != want {
				t.Fatalf("round %d: %s, want %s", n, got, want)
			}
			if got, want := d.List("container.foods", "version"), fmt.Sprintf("%d %d", n+2, n+2); got != want {
				t.Fatalf("round %d: versions %s, want %s", n, got, want)
			}
		}
		w.Whole()
	})
}

// pantry 7#6, 5#1, 5.4#3, 6#11 and 6#22: of two updates that expect the same version, one
// succeeds.
func TestScenario6ExpectedVersions(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		for range rounds {
			x := w.adds("a", a.container, vars{"name": "x"})
			w.Does("a", patchName, vars{"c": a.container, "f": x, "n": "x2"})
			w.Does("a", patchName, vars{"c": a.container, "f": x, "n": "x3"})
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				return w.Asks("a", patchName, vars{"c": a.container, "f": x, "n": fmt.Sprint("x4", i), "v": 3})
			}), map[string]int{"": 1, "CONCURRENT_UPDATE 4": 1})
			w.Does("a", `mutation($c: ID!, $f: ID!) { removeFood(containerId: $c, foodId: $f) { id } }`, vars{"c": a.container, "f": x})
		}
		w.Whole()
	})
}

// pantry 7#7, 5.4#4 and 6#11: concurrent adjustments add up, and none makes a quantity
// negative.
func TestScenario7QuantitiesAreAddedInTheStore(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		for range rounds {
			x := w.adds("a", a.container, vars{"name": "x", "quantity": 10})
			w.Counted(w.AtOnce(20, func(int) apptest.Answer {
				return w.Asks("a", adjust, vars{"c": a.container, "f": x, "d": -1})
			}), map[string]int{"": 10, "PRECONDITION_FAILED QUANTITY_TOO_LOW": 10})
			d := w.Does("a", foods, vars{"c": a.container})
			w.Is(d, "container.foods.0.quantity", `0`)
			w.Is(d, "container.foods.0.version", `11`)
			w.Does("a", `mutation($c: ID!, $f: ID!) { removeFood(containerId: $c, foodId: $f) { id } }`, vars{"c": a.container, "f": x})
		}
		w.Whole()
	})
}

// pantry 7#8 and 5.4#4-5: a quantity that is not set can only be raised, and the maximum is
// not exceeded.
func TestScenario8UnsetQuantities(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		x := w.adds("a", a.container, vars{"name": "x"})
		w.Refused("PRECONDITION_FAILED QUANTITY_NOT_SET", "a", adjust, vars{"c": a.container, "f": x, "d": -1})
		w.Is(w.Does("a", adjust, vars{"c": a.container, "f": x, "d": 2.5}), "adjustFoodQuantity.food.quantity", `2.5`)
		w.Is(w.Does("a", adjust, vars{"c": a.container, "f": x, "d": "0.1"}), "adjustFoodQuantity.food.quantity", `2.6`)
		w.Is(w.Does("a", adjust, vars{"c": a.container, "f": x, "d": "-2.6"}), "adjustFoodQuantity.food.quantity", `0`)
		w.Does("a", adjust, vars{"c": a.container, "f": x, "d": "999999999.99"})
		w.Refused("LIMIT_EXCEEDED QUANTITY_TOO_HIGH", "a", adjust, vars{"c": a.container, "f": x, "d": "0.01"})
		w.Whole()
	})
}

// pantry 7#9, 4.3#4, 5.4#1-2 and 6#22: updating replaces all fields of a food, patching
// those given.
func TestScenario9ReplacingAndPatching(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		food := vars{"name": "milk", "unit": "l", "expiry": "2026-02-01T00:00:00Z"}
		x, y := w.adds("a", a.container, food), w.adds("a", a.container, food)
		before := w.Does("a", foods, vars{"c": a.container})
		w.Does("a", `mutation($c: ID!, $f: ID!) { updateFood(containerId: $c, foodId: $f, input: {name: "A"}) { food { id } } }`, vars{"c": a.container, "f": x})
		w.Does("a", patchName, vars{"c": a.container, "f": y, "n": "B"})
		d := w.Does("a", foods, vars{"c": a.container})
		w.Is(d, "container.foods.0.unit", `null`)
		w.Is(d, "container.foods.0.expiry", `null`)
		w.Is(d, "container.foods.1.unit", `"l"`)
		w.Is(d, "container.foods.1.expiry", `"2026-02-01T00:00:00.000Z"`)
		if got, want := d.List("container.foods", "createdAt"), before.List("container.foods", "createdAt"); got != want {
			t.Errorf("made at %s, want %s", got, want)
		}
		if got := d.List("container.foods", "version"); got != "2 2" {
			t.Errorf("versions %s", got)
		}
		d = w.Does(
			"a",
			`mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f, clear: [UNIT, EXPIRY]) { food { name unit expiry version } } }`,
			vars{"c": a.container, "f": y},
		)
		w.Is(d, "patchFood.food", `{"expiry":null,"name":"B","unit":null,"version":3}`)
		w.Refused(
			"BAD_INPUT SET_AND_CLEARED",
			"a",
			`mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f, input: {unit: "kg"}, clear: [UNIT]) { food { id } } }`,
			vars{"c": a.container, "f": y},
		)
		w.Whole()
	})
}

// pantry 7#17, 2.3#2, 5.3#4 and 6#4: a group keeps its last member, also when both leave
// concurrently.
func TestScenario17TheLastMemberStays(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.registers("b")
		w.Refused("PRECONDITION_FAILED LAST_MEMBER", "a", leave, vars{"g": a.group})
		for range rounds {
			g := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
			w.enters("b", "a", g)
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				return w.Asks([]string{"a", "b"}[i], leave, vars{"g": g})
			}), map[string]int{"": 1, "PRECONDITION_FAILED LAST_MEMBER": 1})
			for _, name := range []string{"a", "b"} {
				w.Asks(name, `mutation($g: ID!) { deleteGroup(id: $g) }`, vars{"g": g})
			}
		}
		w.Whole()
	})
}

// pantry 7#18, 1, 5.3#1 and 5.3#4-5: any member removes any other, who then has no access.
func TestScenario18AnybodyMayRemoveAnybody(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		b := w.joins("b", "a", a.group)
		const remove = `mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { memberCount users { items { name } } } }`
		d := w.Does("b", remove, vars{"g": a.group, "u": a.user})
		w.Is(d, "removeUserFromGroup", `{"memberCount":1,"users":{"items":[{"name":"b"}]}}`)
		w.Refused("FORBIDDEN", "a", addFood, vars{"c": a.container, "f": vars{"name": "x"}})
		w.Refused("NOT_FOUND NOT_A_MEMBER", "b", remove, vars{"g": a.group, "u": a.user})
		w.Refused("PRECONDITION_FAILED LAST_MEMBER", "b", remove, vars{"g": a.group, "u": b.user})
		w.Whole()
	})
}

// pantry 7#19, 5.3#6-7, 6#13 and 6#21: deleting a group leaves nothing of it, and its
// users.
func TestScenario19ADeletedGroupIsGone(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.joins("b", "a", a.group)
		containers := []string{a.container}
		for range 2 {
			containers = append(containers, w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g) { id } }`, vars{"g": a.group}).Text("createContainer.id"))
		}
		x := w.adds("b", a.container, vars{"name": "x"})
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		w.Is(w.Does("b", `mutation($g: ID!) { deleteGroup(id: $g) }`, vars{"g": a.group}), "deleteGroup", fmt.Sprintf("%q", a.group))
		for _, c := range containers {
			w.Is(w.Does("a", `query($c: ID!) { container(id: $c) { id } }`, vars{"c": c}), "container", `null`)
			w.Refused("NOT_FOUND CONTAINER_UNKNOWN", "b", addFood, vars{"c": c, "f": vars{"name": "y"}})
		}
		w.Is(w.Does("a", `query($c: ID!, $f: ID!) { food(containerId: $c, foodId: $f) { id } }`, vars{"c": a.container, "f": x}), "food", `null`)
		w.Is(w.Does("a", `query($g: ID!) { group(id: $g) { id } }`, vars{"g": a.group}), "group", `null`)
		w.Refused("NOT_FOUND GROUP_UNKNOWN", "a", `query($g: ID!) { groupUsers(groupId: $g) { items { id } } }`, vars{"g": a.group})
		w.Refused("NOT_FOUND LINK_UNKNOWN", "b", join, vars{"c": code})
		w.Is(w.Does("a", myGroups), "myGroups.items", `[]`)
		w.Is(w.Does("b", `{ me { name } }`), "me.name", `"b"`)
		w.Whole()
		for _, row := range w.Rows()["Pantry"] {
			if strings.Contains(fmt.Sprint(row), a.group) {
				t.Errorf("left over: %v", row)
			}
		}
	})
}

// pantry 7#20 and 5.2#4: deleting a user deletes the groups of that user alone, leaves the
// others, and frees the address.
func TestScenario20ADeletedUserLeavesTheOthers(t *testing.T) {
	test(t, func(w *world) {
		a, b := w.registers("a"), w.registers("b")
		w.enters("a", "b", b.group)
		w.adds("a", b.container, vars{"name": "gift"})
		w.Is(w.Does("a", `mutation { deleteUser }`), "deleteUser", fmt.Sprintf("%q", a.user))
		w.Refused("PRECONDITION_FAILED NOT_REGISTERED", "a", myGroups)
		d := w.Does(
			"b",
			`query($g: ID!, $c: ID!) { group(id: $g) { memberCount users { items { name } } } container(id: $c) { foods { name addedBy { id } } } }`,
			vars{"g": b.group, "c": b.container},
		)
		w.Is(d, "group", `{"memberCount":1,"users":{"items":[{"name":"b"}]}}`)
		w.Is(d, "container.foods", `[{"addedBy":null,"name":"gift"}]`)
		w.Whole()
		for _, row := range w.Rows()["Pantry"] {
			if strings.Contains(fmt.Sprint(row), a.group) || strings.Contains(fmt.Sprint(row), a.container) {
				t.Errorf("left over: %v", row)
			}
		}
		w.People.Identity("c", apptest.Account{Email: "a@example.com"})
		w.registers("c")
		w.People.Identity("a", apptest.Account{Email: "other@example.com"})
		w.registers("a")
		w.Whole()
	})
}

// pantry 7#21, 4.2#3-4, 5.4#6-7, 5.4#9 and 5.6#4: foods that expire within some days, over
// all groups or one, in pages.
func TestScenario21ExpiringFoods(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		second := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
		other := w.Does("a", `mutation($g: ID!) { createContainer(groupId: $g, name: "shelf") { id } }`, vars{"g": second}).Text("createContainer.id")
		today := w.Now().Truncate(24 * time.Hour)
		at := func(days int) string { return today.AddDate(0, 0, days).Add(23 * time.Hour).Format(time.RFC3339) }
		w.adds("a", a.container, vars{"name": "in 4 days", "expiry": at(4)})
		w.adds("a", other, vars{"name": "in 3 days", "expiry": at(3)})
		w.adds("a", a.container, vars{"name": "never"})
		w.adds("a", a.container, vars{"name": "today", "expiry": at(0)})
		w.adds("a", other, vars{"name": "yesterday", "expiry": at(-1)})
		const query = `query($e: Boolean, $l: Int, $t: String, $g: ID) { expiringFoods(withinDays: 3, includeExpired: $e, limit: $l, nextToken: $t, ` +
			`groupId: $g) { items { food { name daysLeft expired } container { name } group { id } } nextToken } }`
		d := w.Does("a", query)
		if got := d.List("expiringFoods.items", "food.name"); got != "yesterday today in 3 days" {
			t.Errorf("expiring: %s", got)
		}
		if got := d.List("expiringFoods.items", "food.daysLeft"); got != "-1 0 3" {
			t.Errorf("days left: %s", got)
		}
		if got := w.Does("a", query, vars{"e": false}).List("expiringFoods.items", "food.name"); got != "today in 3 days" {
			t.Errorf("without expired ones: %s", got)
		}
		if got := w.Does("a", query, vars{"g": a.group}).List("expiringFoods.items", "food.name"); got != "today" {
			t.Errorf("in one group: %s", got)
		}
		var all []string
		for v := (vars{"l": 1}); ; {
			d := w.Does("a", query, v)
			all = append(all, d.List("expiringFoods.items", "food.name"))
			if d.At("expiringFoods.nextToken") == nil {
				break
			}
			v["t"] = d.Text("expiringFoods.nextToken")
		}
		if got := strings.Join(all, ", "); got != "yesterday, today, in 3 days" {
			t.Errorf("page by page: %s", got)
		}
		for _, days := range []int{-1, 366} {
			w.Refused("BAD_INPUT INVALID_DAYS", "a", fmt.Sprintf(`{ expiringFoods(withinDays: %d) { items { food { name } } } }`, days))
		}
	})
}

// pantry 7#22, 4.2#2, 5#2 and 5.3#2-3: outsiders get null for one object and FORBIDDEN for
// everything else; unknown ids are NOT_FOUND.
func TestScenario22Outsiders(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		b := w.registers("b")
		x := w.adds("a", a.container, vars{"name": "x"})
		v := vars{"g": a.group, "c": a.container, "f": x, "own": b.container, "u": a.user}
		for query, path := range map[string]string{
			`query($c: ID!) { container(id: $c) { id } }`:                            "container",
			`query($c: ID!, $f: ID!) { food(containerId: $c, foodId: $f) { id } }`:   "food",
			`query($g: ID!) { group(id: $g) { id } }`:                                "group",
			`query($u: ID!) { user(id: $u) { id } }`:                                 "user",
			`{ container(id: "00000000-0000-4000-8000-000000000000") { id } }`:       "container",
			`{ group(id: "") { id } }`:                                               "group",
			`{ user(id: "nobody") { id } }`:                                          "user",
			`query($own: ID!) { food(containerId: $own, foodId: "nothing") { id } }`: "food",
		} {
			w.Is(w.Does("b", query, v), path, `null`)
		}
		for _, query := range []string{
			`query($g: ID!) { groupUsers(groupId: $g) { items { id } } }`,
			`query($g: ID!) { groupContainers(groupId: $g) { items { id } } }`,
			`query($g: ID!) { joinLinks(groupId: $g) { items { code } } }`,
			`query($g: ID!) { expiringFoods(groupId: $g) { items { food { id } } } }`,
			`query($g: ID!) { searchFoods(text: "x", groupId: $g) { items { food { id } } } }`,
			`mutation($c: ID!) { updateContainer(id: $c, name: "mine") { id } }`,
			`mutation($c: ID!) { updateContainer(id: $c, name: "") { id } }`,
			`mutation($c: ID!) { updateContainer(id: $c, name: "mine", expectedVersion: 9) { id } }`,
			`mutation($c: ID!) { deleteContainer(id: $c) }`,
			`mutation($c: ID!, $g: ID!) { moveContainer(id: $c, groupId: $g) { id } }`,
			`mutation($own: ID!, $g: ID!) { moveContainer(id: $own, groupId: $g) { id } }`,
			`mutation($g: ID!) { createContainer(groupId: $g) { id } }`,
			`mutation($g: ID!) { updateGroup(id: $g, name: "mine") { id } }`,
			`mutation($g: ID!) { deleteGroup(id: $g) }`,
			`mutation($g: ID!) { generateJoinLink(groupId: $g) { code } }`,
			`mutation($g: ID!) { revokeJoinLink(groupId: $g) }`,
			`mutation($g: ID!) { leaveGroup(groupId: $g) }`,
			`mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { id } }`,
			`mutation($c: ID!) { addFood(containerId: $c, input: {name: "y"}) { food { id } } }`,
			`mutation($c: ID!) { addFood(containerId: $c, input: {name: ""}) { food { id } } }`,
			`mutation($c: ID!) { addFood(containerId: $c, input: {name: "y", category: "none such"}) { food { id } } }`,
			`mutation($c: ID!) { addFoods(containerId: $c, inputs: []) { id } }`,
			`mutation($c: ID!, $f: ID!) { updateFood(containerId: $c, foodId: $f, input: {name: "y"}) { food { id } } }`,
			`mutation($c: ID!) { patchFood(containerId: $c, foodId: "nothing", input: {name: "y"}) { food { id } } }`,
			`mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f) { food { id } } }`,
			`mutation($c: ID!, $f: ID!) { adjustFoodQuantity(containerId: $c, foodId: $f, delta: -1) { food { id } } }`,
			`mutation($c: ID!, $f: ID!) { removeFood(containerId: $c, foodId: $f) { id } }`,
			`mutation($c: ID!) { removeExpiredFoods(containerId: $c) }`,
			`mutation($c: ID!, $f: ID!, $own: ID!) { moveFood(fromContainerId: $c, foodId: $f, toContainerId: $own) { food { id } } }`,
			`mutation($c: ID!, $own: ID!) { moveFood(fromContainerId: $own, foodId: "nothing", toContainerId: $c) { food { id } } }`,
		} {
			w.Refused("FORBIDDEN", "b", query, apptest.Used(query, v))
		}
		for query, want := range map[string]string{
			`{ groupUsers(groupId: "x") { items { id } } }`:                                                        "NOT_FOUND GROUP_UNKNOWN",
			`mutation { updateGroup(id: "x", name: "y") { id } }`:                                                  "NOT_FOUND GROUP_UNKNOWN",
			`mutation { createContainer(groupId: "", name: "y") { id } }`:                                          "NOT_FOUND GROUP_UNKNOWN",
			`mutation { updateContainer(id: "x", name: "y") { id } }`:                                              "NOT_FOUND CONTAINER_UNKNOWN",
			`mutation { deleteContainer(id: "") }`:                                                                 "NOT_FOUND CONTAINER_UNKNOWN",
			`mutation($own: ID!) { removeFood(containerId: $own, foodId: "nothing") { id } }`:                      "NOT_FOUND FOOD_UNKNOWN",
			`mutation($own: ID!) { patchFood(containerId: $own, foodId: "", input: {name: "y"}) { food { id } } }`: "NOT_FOUND FOOD_UNKNOWN",
			`mutation($own: ID!) { moveContainer(id: $own, groupId: "x") { id } }`:                                 "NOT_FOUND GROUP_UNKNOWN",
		} {
			w.Refused(want, "b", query, apptest.Used(query, v))
		}
		w.Whole()
	})
}

// pantry 7#23, 3#4, 4.3#6, 5.1#9, 5.1#12, 5.4#11 and 6#14: a food keeps a category that
// left the list, and takes no other that is not in it.
func TestScenario23CategoriesOfTheList(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.People.Identity("oz")
		x := w.adds("a", a.container, vars{"name": "x", "category": "Soup"})
		const set = `mutation($n: [String!]!) { setCategories(names: $n) { name } }`
		w.Refused("FORBIDDEN NOT_OPERATOR", "a", set, vars{"n": []string{"A"}})
		w.Does("oz", set, vars{"n": []string{"Unselected", "Dairy"}})
		if got := w.Does("a", `{ categories { name } }`).List("categories", "name"); got != "Unselected Dairy" {
			t.Errorf("categories %s", got)
		}
		w.Does("a", patchName, vars{"c": a.container, "f": x, "n": "y"})
		w.Is(w.Does("a", foods, vars{"c": a.container}), "container.foods.0.category", `"Soup"`)
		w.Refused(
			"BAD_INPUT UNKNOWN_CATEGORY",
			"a",
			`mutation($c: ID!, $f: ID!) { updateFood(containerId: $c, foodId: $f, input: {name: "y", category: "Soup"}) { food { id } } }`,
			vars{"c": a.container, "f": x},
		)
		w.Refused(
			"BAD_INPUT UNKNOWN_CATEGORY",
			"a",
			`mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f, input: {category: "dairy"}) { food { id } } }`,
			vars{"c": a.container, "f": x},
		)
		d := w.Does(
			"a",
			`mutation($c: ID!, $f: ID!) { patchFood(containerId: $c, foodId: $f, input: {category: "Unselected"}) { food { category } } }`,
			vars{"c": a.container, "f": x},
		)
		w.Is(d, "patchFood.food.category", `null`)
		for _, names := range [][]string{{}, {""}, {"A", "A"}, {strings.Repeat("x", 31)}, strings.Split(strings.Repeat("x", 50), "")} {
			if got := w.Asks("oz", set, vars{"n": names}).Refusal(); !strings.HasPrefix(got, "BAD_INPUT ") {
				t.Errorf("%v: %q", names, got)
			}
		}
		w.Whole()
	})
}

// pantry 7#24, 4.3#3, 5.1#10, 5.4#10 and 6#10: foods are added all or none, up to 500.
func TestScenario24AFullContainer(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		const add = `mutation($c: ID!, $f: [FoodInput!]!) { addFoods(containerId: $c, inputs: $f) { foodCount } }`
		some := func(n int) []vars {
			all := make([]vars, n)
			for i := range all {
				all[i] = vars{"name": fmt.Sprint("food ", i)}
			}
			return all
		}
		for range 19 {
			w.Does("a", add, vars{"c": a.container, "f": some(25)})
		}
		w.Is(w.Does("a", add, vars{"c": a.container, "f": some(24)}), "addFoods.foodCount", `499`)
		w.Refused("LIMIT_EXCEEDED CONTAINER_FULL", "a", add, vars{"c": a.container, "f": some(2)})
		w.Is(w.Does("a", foods, vars{"c": a.container}), "container.foodCount", `499`)
		w.Is(w.Does("a", add, vars{"c": a.container, "f": some(1)}), "addFoods.foodCount", `500`)
		w.Refused("LIMIT_EXCEEDED CONTAINER_FULL", "a", addFood, vars{"c": a.container, "f": vars{"name": "one more"}})
		for _, n := range []int{0, 26} {
			w.Refused("BAD_INPUT INVALID_COUNT", "a", add, vars{"c": a.container, "f": some(n)})
		}
		w.Whole()
	})
}

// pantry 7#25, 4.3#2, 5.3#7 and 6#7: a moved container belongs to the new group only.
func TestScenario25AMovedContainer(t *testing.T) {
	test(t, func(w *world) {
		a, b := w.registers("a"), w.registers("b")
		w.enters("b", "a", a.group)
		w.joins("c", "a", a.group)
		x := w.adds("c", a.container, vars{"name": "x"})
		d := w.Does("b", `mutation($c: ID!, $g: ID!) { moveContainer(id: $c, groupId: $g) { group { id containerCount } version } }`, vars{"c": a.container, "g": b.group})
		w.Is(d, "moveContainer", fmt.Sprintf(`{"group":{"containerCount":2,"id":%q},"version":3}`, b.group))
		w.Is(w.Does("a", `query($g: ID!) { groupContainers(groupId: $g) { items { id } } }`, vars{"g": a.group}), "groupContainers.items", `[]`)
		if got := w.Does("b", `query($g: ID!) { groupContainers(groupId: $g) { items { id } } }`, vars{"g": b.group}).
			List("groupContainers.items", "id"); !strings.Contains(
			got,
			a.container,
		) {
			t.Errorf("containers %s", got)
		}
		w.Refused("FORBIDDEN", "c", adjust, vars{"c": a.container, "f": x, "d": 1})
		w.Is(w.Does("a", `query($c: ID!) { container(id: $c) { id } }`, vars{"c": a.container}), "container", `null`)
		w.Whole()
	})
}

// pantry 5.1#1, 5.1#4 and 5#2: names of users and containers that are too long or empty, and
// the names of those who give none.
func TestNamesOfUsersAndContainers(t *testing.T) {
	test(t, func(w *world) {
		const create = `mutation($n: String) { createUser(input: {name: $n}) { name } }`
		w.People.Identity("a")
		for _, n := range []int{0, 31} {
			w.Refused("BAD_INPUT INVALID_NAME", "a", create, vars{"n": strings.Repeat("é", n)})
		}
		w.Is(w.Does("a", create, vars{"n": strings.Repeat("é", 30)}), "createUser.name", fmt.Sprintf("%q", strings.Repeat("é", 30)))
		w.Refused("CONFLICT ALREADY_REGISTERED", "a", create)
		g := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
		const add = `mutation($g: ID!, $n: String) { createContainer(groupId: $g, name: $n) { name } }`
		w.Is(w.Does("a", add, vars{"g": g}), "createContainer.name", `"default container"`)
		w.Does("a", add, vars{"g": g, "n": strings.Repeat("é", 255)})
		for _, n := range []int{0, 256} {
			w.Refused("BAD_INPUT INVALID_NAME", "a", add, vars{"g": g, "n": strings.Repeat("é", n)})
		}
		w.Whole()
	})
}

// pantry 5.1#11, 5#2 and 5.5#6: a group has at most 50 containers and 50 users, and a user is
// in at most 50 groups.
func TestFullGroupsAndUsers(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		const add = `mutation($g: ID!) { createContainer(groupId: $g) { id } }`
		for range 49 {
			w.Does("a", add, vars{"g": a.group})
		}
		w.Refused("LIMIT_EXCEEDED TOO_MANY_CONTAINERS", "a", add, vars{"g": a.group})
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		for n := range 49 {
			name := fmt.Sprint("m", n)
			w.registers(name)
			w.Does(name, join, vars{"c": code})
		}
		w.registers("late")
		w.Refused("LIMIT_EXCEEDED GROUP_FULL", "late", join, vars{"c": code})
		w.Does("m0", leave, vars{"g": a.group})
		const found = `mutation { createGroup { id } }`
		for range 49 {
			w.Does("late", found)
		}
		w.Refused("LIMIT_EXCEEDED TOO_MANY_GROUPS", "late", found)
		w.Refused("LIMIT_EXCEEDED TOO_MANY_GROUPS", "late", join, vars{"c": code})
		w.Whole()
	})
}

// A group is deleted while a user joins, and a user is deleted while joining: the later
// request is refused, and nothing is left over (pantry 6#3, 6#13 and 6#16).
func TestGoingAndJoiningAtOnce(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		w.registers("b")
		for n := range rounds {
			g := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
			code := w.Does("a", generate, vars{"g": g}).Text("generateJoinLink.code")
			goes := `mutation($g: ID!) { deleteGroup(id: $g) }`
			if n%2 == 1 {
				goes = `mutation($g: ID!) { __typename leaveGroup(groupId: $g) }`
			}
			w.AtOnce(3, func(i int) apptest.Answer {
				switch i {
				case 0:
					return w.Asks("a", goes, vars{"g": g})
				case 1:
					return w.Asks("b", join, vars{"c": code})
				default:
					return w.Asks("b", `mutation { deleteUser }`)
				}
			})
			w.Whole()
			w.Asks("a", `mutation($g: ID!) { deleteGroup(id: $g) }`, vars{"g": g})
			w.registers("b")
		}
		w.Whole()
		w.TakeDrifts()
	})
}
