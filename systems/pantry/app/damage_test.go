package app_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// pantry 6#19: the check finds join links that their group does not name, and those that are not
// listed when they have expired.
func TestDamageIsFound(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.Does("a", generate, vars{"g": a.group})
		w.Whole()
		for _, d := range []struct{ sk, attribute, to, found string }{
			{"Group", "CurrentJoinLink", "ShareLink#2026-01-01T12:00:00.000Z", "names"},
			{"ShareLink#", "LinkKind", "Link", "is listed in"},
			{"ShareLink#", "GroupID", "elsewhere", "the item belongs elsewhere"},
		} {
			seen := false
			for _, row := range w.Rows()["Pantry"] {
				if row["PK"] != a.group || !strings.HasPrefix(fmt.Sprint(row["SK"]), d.sk) {
					continue
				}
				seen = true
				damaged := maps.Clone(row)
				damaged[d.attribute] = d.to
				w.Put("Pantry", damaged)
				if problems := strings.Join(w.Problems(), "\n"); !strings.Contains(problems, d.found) {
					t.Errorf("with %s %q, found is %q", d.attribute, d.to, problems)
				}
				w.Put("Pantry", row)
			}
			if !seen {
				t.Errorf("there is no %s", d.sk)
			}
		}
	})
}
