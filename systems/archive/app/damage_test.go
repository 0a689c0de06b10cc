package app_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// archive 6#5: the check finds rows that are listed elsewhere than their name or id says.
func TestDamageIsFound(t *testing.T) {
	test(t, func(w *world) {
		w.is("EDITOR", "a")
		post := w.post(w.collection(census(w.category("Births"))))
		w.imports(post, header+"Mary Ann,7,,,\n")
		w.whole()
		for _, sk := range []string{"category", "collection", "collection_category#", "record_post#", "record_household#"} {
			seen := false
			for _, row := range w.Rows()["archive"] {
				if got := fmt.Sprint(row["sk"]); got != sk && !(strings.HasSuffix(sk, "#") && strings.HasPrefix(got, sk)) {
					continue
				}
				seen = true
				damaged := maps.Clone(row)
				damaged["altSort"] = "x" + fmt.Sprint(row["altSort"])
				w.Put("archive", damaged)
				if problems := strings.Join(w.Problems(), "\n"); !strings.Contains(problems, "is listed at") {
					t.Errorf("%s: found is %q", sk, problems)
				}
				w.Put("archive", row)
			}
			if !seen {
				t.Errorf("there is no %s", sk)
			}
		}
		w.whole()
	})
}
