package app_test

import (
	"testing"

	"stoa/internal/kit/viewer"
	"stoa/internal/operator"
)

// operator 4#4: nothing is left of an erased user, not even who added the food of others.
func TestNothingIsLeftOfAnErasedUser(t *testing.T) {
	test(t, func(w *world) {
		ben := w.registers("ben")
		ana := w.joins("ana", "ben", ben.group)
		w.adds("ana", ben.container, vars{"name": "bread"})
		w.Does("ana", `mutation($g: ID!) { generateJoinLink(groupId: $g) { code } }`, vars{"g": ben.group})
		w.Does("ana", `mutation($g: ID!) { updateGroup(id: $g, name: "group of hers") { id } }`, vars{"g": ana.group})
		s, ctx := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root")
		if _, err := s.ErasePerson(ctx, viewer.UserID(ana.user), "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.Left(ana.user, "ana@example.com", " of hers")
		w.Is(w.Does("ben", `query($c: ID!) { container(id: $c) { foods { name addedBy { id } } } }`, vars{"c": ben.container}),
			"container.foods", `[{"addedBy":null,"name":"bread"}]`)
		w.Whole()
	})
}
