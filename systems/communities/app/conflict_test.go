package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/faultdb"
)

// communities 6#12: a user whose attempts all fail with conflicts gets that error, after at
// least four.
func TestConcurrentUpdate(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		n := 0
		var interfere func()
		interfere = func() {
			n++
			w.Does("a", profile, vars{"i": vars{"bio": fmt.Sprint(n)}})
			w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
		}
		disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
		w.Refused("CONCURRENT_UPDATE", "a", profile, vars{"i": vars{"name": "late"}})
		disarm()
		w.Client.Arm(faultdb.Fault{})
		if n < 4 {
			t.Errorf("a change is given up after %d attempts", n)
		}
		w.Asked("a", "{ me { name bio } }", nil, "me", fmt.Sprintf(`{"bio":"%d","name":"Name of a"}`, n))
		w.Whole()
	})
}

// communities 6#4: a group chat is not created in a community that is being deleted.
func TestNoChatInACommunityThatIsBeingDeleted(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		c := w.founds("a", "Calm", "b")
		disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() {
			// The memberships still exist.
			w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() { w.Client.Arm(faultdb.On("Query", 1, faultdb.Internal)) }))
			w.Does("a", `mutation($c: ID!) { deleteCommunity(id: $c) }`, vars{"c": c})
		}))
		w.Refused("NOT_FOUND", "b", openChat, vars{"c": c, "i": vars{"name": "n", "description": "d"}})
		disarm()
		w.Settle()
		w.Whole()
	})
}
