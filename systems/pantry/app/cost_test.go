package app_test

import (
	"cmp"
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/pantry/app"
)

// BenchmarkMostExpensive prints the cost of the most expensive operations of anonymous
// identities: each requests one field as often as its price allows, which should take at
// most about 50 ms of CPU time.
func BenchmarkMostExpensive(b *testing.B) {
	w := &world{apptest.Bench(b, app.System(app.Options{}))}
	h := w.registers("nobody")
	var first string
	for i := range 100 {
		id := w.adds("nobody", h.container, vars{"name": fmt.Sprint("food ", i), "expiry": "2026-01-02T00:00:00Z"})
		first = cmp.Or(first, id)
	}
	w.People.Identity("nobody", apptest.Account{})
	group, container := fmt.Sprintf("groupId:%q", h.group), fmt.Sprintf("containerId:%q", h.container)
	for _, p := range w.QueryCosts("nobody", map[string]string{
		"Query.group": "id" + group[7:], "Query.container": "id" + container[11:], "Query.groupUsers": group, "Query.groupContainers": group,
		"Query.foods": container, "Query.searchFoods": `text:"food"`,
	})[:20] {
		fmt.Println(p)
	}
	food := fmt.Sprintf("%s,foodId:%q", container, first)
	for _, p := range w.MutationCosts("nobody", map[string]string{
		"Mutation.updateUser": `name:"x#"`, "Mutation.createGroup": `name:"x#"`, "Mutation.updateGroup": "id" + group[7:] + `,name:"x#"`, "Mutation.generateJoinLink": group,
		"Mutation.revokeJoinLink": group,
		"Mutation.joinGroup":      `code:"x#"`, "Mutation.createContainer": group + `,name:"x#"`, "Mutation.updateContainer": "id" + container[11:] + `,name:"x#"`,
		"Mutation.addFood": container + `,input:{name:"x#"}`, "Mutation.addFoods": container + `,inputs:[{name:"x#"}]`, "Mutation.updateFood": food + `,input:{name:"x#"}`,
		"Mutation.patchFood": food + `,input:{name:"x#"}`, "Mutation.adjustFoodQuantity": food + `,delta:"1"`, "Mutation.removeExpiredFoods": container,
	}) {
		fmt.Println(p)
	}
}
