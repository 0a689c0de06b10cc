package app_test

import (
	"testing"
	"testing/synctest"

	"stoa/internal/apptest"
)

// pantry 5.2#4 and 6#4: who registers again while the memberships of the former user are being removed keeps
// the groups they join from then on.
func TestRegisteringWhileTheFormerUserLeaves(t *testing.T) {
	test(t, func(w *world) {
		b := w.registers("b")
		w.joins("a", "b", b.group)
		// The first transaction deletes the user, the second one makes them leave the first group.
		happened := w.Before(2, func(*apptest.World) {
			w.registers("a")
			w.enters("a", "b", b.group)
			w.Does("b", leave, vars{"g": b.group})
		})
		w.Does("a", `mutation { deleteUser }`)
		synctest.Wait() // for the clean-up, which does not settle while something happens amid it
		if !happened() {
			t.Error("the former user had left already")
		}
		w.Asked("a", `query($g: ID!) { group(id: $g) { memberCount } }`, vars{"g": b.group}, "group.memberCount", "1")
		w.Asked("a", `{ me { groups { items { name } } } }`, nil, "me.groups.items", `[{"name":"b's group"},{"name":"a's group"}]`)
		w.Whole()
	})
}

// pantry 5.2#4 and 5.3#1: a member whose user has been deleted can be removed before they have left.
func TestRemovingAFormerUser(t *testing.T) {
	test(t, func(w *world) {
		b := w.registers("b")
		a := w.joins("a", "b", b.group)
		happened := w.Before(2, func(*apptest.World) {
			w.Asked("b", `mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { memberCount } }`,
				vars{"g": b.group, "u": a.user}, "removeUserFromGroup.memberCount", "1")
		})
		w.Does("a", `mutation { deleteUser }`)
		synctest.Wait() // for the clean-up, which does not settle while something happens amid it
		if !happened() {
			t.Error("the former user had left already")
		}
		w.Whole()
	})
}
