package app_test

import (
	"fmt"
	"strings"
	"testing"
)

// The maximum numbers of store calls of requests.
func TestBudgets(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		w.Does("oz", loadPlaces, vars{"r": []vars{{"id": "1", "name": "Paris", "fullName": "Paris, France", "level": 2}}})
		csv := func(rows, household int) string {
			var b strings.Builder
			b.WriteString(header)
			for i := range rows {
				fmt.Fprintf(&b, "person %d,h%d,1850,,\n", i, i/household)
			}
			return b.String()
		}
		post := w.held("")
		w.Client.Reset()
		w.imports(post, csv(5_000, 10))
		if n := w.Client.Total(); n > 5*45 {
			t.Errorf("an import of 5,000 rows takes %d calls (%s), want at most %d", n, w.Client, 5*45)
		}
		w.Settle()
		w.post(w.collection(census(w.category("Loaded"))), vars{"recordsKey": w.uploads("text/csv", []byte(csv(20_000, 20)))})
		w.Client.Reset()
		w.Settle()
		// The number of calls that poll the queues does not depend on the load.
		if n := w.Client.Total() - w.Client.Count("Query"); n > 20*45 {
			t.Errorf("a load of 20,000 rows takes %d calls (%s), want at most %d", n, w.Client, 20*45)
		}
		record := w.Does("r", `query($p: ID!) { records(postId: $p, limit: 1) { items { id } } }`, vars{"p": post}).Text("records.items.0.id")
		for _, c := range []struct {
			as, query string
			calls     int
		}{
			{"r", `query($p: ID!) { post(id: $p) { name collection { name categories { name } } records(limit: 20) { items { id data { value } } } } }`, 5},
			{"", `{ places(prefix: "par") { name fullName } }`, 1},
			{"", `{ places(prefix: "paris, fr") { name fullName } }`, 0}, // is remembered
			{"r", `query($r: ID!) { record(id: $r) { data { value } citation post { name } household { number records { data { value } } } } }`, 4},
		} {
			w.Client.Reset()
			v := vars{}
			if strings.Contains(c.query, "$p") {
				v["p"] = post
			}
			if strings.Contains(c.query, "$r") {
				v["r"] = record
			}
			w.Does(c.as, c.query, v)
			if n := w.Client.Total(); n > c.calls {
				t.Errorf("%s: %d calls (%s), want at most %d", c.query, n, w.Client, c.calls)
			}
		}
	})
}
