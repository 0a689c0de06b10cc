package app_test

import (
	"strings"
	"testing"

	"stoa/systems/communities"
)

// communities 5.6#3: an export has the messages that its user sees: none of those they have hidden,
// and all since.
func TestExportsHaveWhatIsNotHidden(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.meets("a", "b")
		w.writes("a", "PRIVATE", h, "old")
		w.Does("b", `mutation($h: ID!) { hidePrivateChat(id: $h) }`, vars{"h": h})
		w.Advance(back) // the next message has the first time after the hidden ones
		w.writes("a", "PRIVATE", h, "new")
		w.Settle()
		exported := func(name string) string {
			return string(w.Exported(communities.UserID(w.ids[name]))["communities/messages.json"])
		}
		if got := exported("b"); strings.Contains(got, `"old"`) || !strings.Contains(got, `"new"`) {
			t.Errorf("the export of b has the messages %s", got)
		}
		if got := exported("a"); !strings.Contains(got, `"old"`) || !strings.Contains(got, `"new"`) {
			t.Errorf("the export of a has the messages %s", got)
		}
	})
}
