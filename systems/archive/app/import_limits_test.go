package app_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/systems/archive"
	"stoa/systems/archive/app"
)

func rowsOf(n int) string { return header + strings.Repeat("x,,,,\n", n) }

// A file with too many rows, or with more than the user may import on the day, is refused
// before anything is written (archive 5.4#8).
func TestImportLimits(t *testing.T) {
	with(t, app.Options{Imports: archive.ImportLimits{Rows: 5, DailyRows: 12}}, func(w *world) {
		w.is("EDITOR", "e", "f")
		post := w.held("")
		imports := func(as string, rows int, refused string) apptest.Answer {
			t.Helper()
			before := w.at("post", post)
			a := w.Asks(as, importRecords, vars{"p": post, "c": rowsOf(rows)})
			if got := a.Refusal(); got != refused {
				t.Errorf("%d rows by %s: refused with %q, want %q", rows, as, got, refused)
			}
			if refused != "" && w.at("post", post) != before {
				t.Errorf("%d rows by %s were refused, and the post has changed", rows, as)
			}
			return a
		}
		w.Params(imports("e", 6, "LIMIT_EXCEEDED TOO_MANY_ROWS"), `{"field":"csv","most":5}`)
		imports("e", 5, "")
		imports("e", 0, "")
		imports("e", 5, "")
		w.Params(imports("e", 3, "LIMIT_EXCEEDED TOO_MANY_ROWS_A_DAY"), `{"field":"csv","imported":10,"most":12,"rows":3}`)
		w.Asked("oz", recordsOf, vars{"p": post}, "records.items.0.dataMap.Name", `"x"`)
		imports("e", 2, "")
		imports("e", 1, "LIMIT_EXCEEDED TOO_MANY_ROWS_A_DAY")
		imports("f", 5, "") // counts for f alone
		w.Does("oz", `mutation($u: ID!) { setUserLevel(id: $u, level: ADMIN) { level } }`, vars{"u": w.ids["e"]})
		imports("e", 1, "LIMIT_EXCEEDED TOO_MANY_ROWS_A_DAY")
		w.Advance(24 * time.Hour)
		imports("e", 5, "")
		w.whole()
	})
}

// Imports at the same time do not exceed the limit together (archive 5.4#8).
func TestImportLimitsOfImportsAtOnce(t *testing.T) {
	with(t, app.Options{Imports: archive.ImportLimits{Rows: 5, DailyRows: 12}}, func(w *world) {
		w.is("EDITOR", "e")
		collection := w.collection(census(w.category("A")))
		var posts []string
		for range 6 {
			posts = append(posts, w.post(collection))
		}
		got := w.AtOnce(len(posts), func(i int) apptest.Answer {
			return w.Asks("e", importRecords, vars{"p": posts[i], "c": rowsOf(5)})
		})
		if want := map[string]int{"": 2, "LIMIT_EXCEEDED TOO_MANY_ROWS_A_DAY": 4}; !maps.Equal(got, want) {
			t.Errorf("answers %v, want %v", got, want)
		}
		w.whole()
	})
}

// Unless configured, a file has at most 100,000 rows, and so many as a request can contain
// are not all read (archive 5.4#8).
func TestDefaultImportLimits(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		a := w.Asks("oz", importRecords, vars{"p": w.held(""), "c": rowsOf(100_001)})
		if a.Refusal() != "LIMIT_EXCEEDED TOO_MANY_ROWS" {
			t.Errorf("refused with %q", a.Refusal())
		}
		w.Params(a, `{"field":"csv","most":100000}`)
	})
	most := archive.DefaultImportLimits
	if err := most.CheckRows(100_000); err != nil {
		t.Error(err)
	}
	u, err := archive.User{}.Importing(1_000_000, most, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Importing(1, most, time.Unix(24*60*60-1, 0)); err == nil {
		t.Error("a million and one rows are imported on one day")
	}
	if _, err := u.Importing(1, most, time.Unix(24*60*60, 0)); err != nil {
		t.Error(err)
	}
}
