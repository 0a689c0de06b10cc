package app_test

import (
	"fmt"
	"testing"
)

// What a change is about is read once in a process, and not by each member who listens to the
// group, on any number of devices.
func TestReadsOfListenersAreShared(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.joins("b", "a", a.group)
		n := 0
		calls := func() int {
			w.Settle()
			w.Client.Reset()
			n++
			w.Does("a", `mutation($c: ID!, $n: String!) { updateContainer(id: $c, name: $n) { name } }`, vars{"c": a.container, "n": fmt.Sprint(n)})
			w.Settle()
			return w.Client.Total()
		}
		calls() // the first may read what is then cached
		alone := calls()
		for listeners := 1; listeners <= 20; listeners++ {
			w.Listen([]string{"a", "b"}[listeners%2], fmt.Sprintf(`subscription { containerChanged(groupId: "%s") { kind container { name } } }`, a.group))
			got := calls()
			if listeners == 1 || listeners == 20 {
				t.Logf("%d store calls, %d with %d listeners", alone, got, listeners)
			}
			if got != alone+1 {
				t.Errorf("%d store calls with %d listeners, want %d", got, listeners, alone+1)
			}
			heard := w.TakeHeard()
			if len(heard["a"])+len(heard["b"]) != listeners {
				t.Errorf("%d listeners hear %v", listeners, heard)
			}
		}
	})
}
