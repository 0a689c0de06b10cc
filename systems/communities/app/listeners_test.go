package app_test

import (
	"fmt"
	"testing"
)

// Each listener's own rights are read for each event, and whom the event is about once for all
// of them.
func TestReadsOfListenersAreShared(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		calls := func() int {
			w.Settle()
			w.Client.Reset()
			w.writes("a", "GROUP", h, "hi")
			w.Settle()
			return w.Client.Total()
		}
		calls() // the first may read what is then cached
		alone := calls()
		for listeners := 1; listeners <= 20; listeners++ {
			w.Listen([]string{"a", "b"}[listeners%2], fmt.Sprintf(`subscription { chatEvents(chatType: GROUP, chatId: "%s") { type message { content } user { username } } }`, h))
			got := calls()
			if listeners == 1 || listeners == 20 {
				t.Logf("%d store calls, %d with %d listeners", alone, got, listeners)
			}
			if most := alone + listeners + 2; got > most { // the message itself may take one more
				t.Errorf("%d store calls with %d listeners, want at most %d", got, listeners, most)
			}
			heard := w.TakeHeard()
			if len(heard["a"])+len(heard["b"]) != listeners {
				t.Errorf("%d listeners hear %v", listeners, heard)
			}
		}
	})
}
