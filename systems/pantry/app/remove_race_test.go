package app_test

import (
	"testing"

	"stoa/internal/apptest"
)

// pantry 5.3#1: who has been removed meanwhile removes nobody, so that two members do not remove
// each other.
func TestRemovalByAFormerMember(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		b := w.joins("b", "a", a.group)
		w.joins("c", "a", a.group)
		const remove = `mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { memberCount } }`
		happened := w.Before(1, func(*apptest.World) { w.Does("a", remove, vars{"g": a.group, "u": b.user}) })
		w.Refused("FORBIDDEN", "b", remove, vars{"g": a.group, "u": a.user})
		if !happened() {
			t.Error("nobody was removed meanwhile")
		}
		w.Asked("a", `query($g: ID!) { group(id: $g) { memberCount } }`, vars{"g": a.group}, "group.memberCount", "2")
		w.Whole()
	})
}
