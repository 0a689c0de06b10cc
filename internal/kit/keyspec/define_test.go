package keyspec_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
)

type plainItem struct {
	ID     string    `dynamo:"id"`
	At     time.Time `dynamo:"at"`
	Count  int       `dynamo:"count"`
	On     bool      `dynamo:"on"`
	Hidden string    `dynamo:"hidden,keyonly"`
}

// refusal returns the text with which Define refuses a declaration.
func refusal(define func(*keyspec.Table)) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	define(&keyspec.Table{Name: "t", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{A1, A4}})
	return ""
}

func TestDefineRefuses(t *testing.T) {
	define := func(row keyspec.Row) func(*keyspec.Table) {
		return func(table *keyspec.Table) { keyspec.Define[plainItem](table, row) }
	}
	key := keyspec.K("x/{id}", "{hidden}")
	on := func(ix *keyspec.Index, k keyspec.Keys) func(*keyspec.Table) {
		return define(keyspec.Row{Key: key, On: keyspec.Indexes{ix: k}})
	}
	for name, c := range map[string]struct {
		define func(*keyspec.Table)
		want   string
	}{
		"a slot that is no attribute":        {define(keyspec.Row{Key: keyspec.K("x/{idd}", "{hidden}")}), "{idd} is no attribute of"},
		"a slot of a kind that no key holds": {define(keyspec.Row{Key: keyspec.K("x/{on}", "{hidden}")}), "must be text, a time or a number"},
		"a number in a text key":             {define(keyspec.Row{Key: keyspec.K("x/{count}", "{hidden}")}), "does not sort as text"},
		"a text in a number key":             {on(A4, keyspec.K("all", "{id}")), "must be a number"},
		"more than a slot in a number key":   {on(A4, keyspec.K("all", "n/{count}")), "a number key is a lone slot"},
		"a malformed template":               {define(keyspec.Row{Key: keyspec.K("x/{id", "{hidden}")}), "closing brace"},
		"an index of another table":          {on(K1, key), "is not of table"},
		"a key-only attribute without a key": {define(keyspec.Row{Key: keyspec.K("x/{id}", "-")}), `"hidden" is stored only in keys, but no key has it`},
		"a conditional primary key":          {define(keyspec.Row{Key: key.When("id", "x")}), "cannot depend on a condition"},
		"a condition on nothing":             {on(A1, key.When("idd", "x")), `condition on "idd"`},
		"a condition on a number":            {on(A1, key.When("count", "1")), `condition on "count"`},
		"a part of nothing": {define(keyspec.Row{Key: key, On: keyspec.Indexes{A1: keyspec.K("{day}", "-")},
			Computed: keyspec.Computed{"day": keyspec.DateOf("att")}}), `computed from "att"`},
		"a part of a number": {define(keyspec.Row{Key: key, On: keyspec.Indexes{A1: keyspec.K("{day}", "-")},
			Computed: keyspec.Computed{"day": keyspec.DateOf("count")}}), `computed from "count"`},
		"a type that is no struct": {func(table *keyspec.Table) { keyspec.Define[string](table, keyspec.Row{Key: key}) }, "is not a struct"},
		"a field without a tag":    {func(table *keyspec.Table) { keyspec.Define[struct{ X string }](table, keyspec.Row{Key: key}) }, "field X"},
		"an attribute twice": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X, Y string `dynamo:"x"`
			}](table, keyspec.Row{Key: key})
		}, `"x" twice`},
		"an unknown option": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X string `dynamo:"x,omitempty"`
			}](table, keyspec.Row{Key: key})
		}, `unknown option "omitempty"`},
		"a type that cannot be stored": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X chan int `dynamo:"x"`
			}](table, keyspec.Row{Key: key})
		}, "cannot be stored"},
		"a map without text keys": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X map[int]string `dynamo:"x"`
			}](table, keyspec.Row{Key: key})
		}, "keys of a map are text"},
		"numbers as a set": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X []int `dynamo:"x,set"`
			}](table, keyspec.Row{Key: key})
		}, "only a slice of texts"},
		"numbers as JSON": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X int `dynamo:"x,json"`
			}](table, keyspec.Row{Key: key})
		}, "only a text"},
		"a key-only attribute in an attribute": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X struct {
					Y string `dynamo:"y,keyonly"`
				} `dynamo:"x"`
			}](table, keyspec.Row{Key: key})
		}, "inside another attribute"},
		"the version as a field": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X int `dynamo:"schemaVersion"`
			}](table, keyspec.Row{Key: key})
		}, "kept by the row"},
		"an attribute named like a key": {func(table *keyspec.Table) {
			keyspec.Define[struct {
				X string `dynamo:"pk"`
			}](table, keyspec.Row{Key: keyspec.K("x/{pk}", "-")})
		}, "its template must be {pk}"},
	} {
		if got := refusal(c.define); !strings.Contains(got, c.want) {
			t.Errorf("%s: Define says %q, want %q in it", name, got, c.want)
		}
	}
	if got := refusal(define(keyspec.Row{Key: key})); got != "" {
		t.Errorf("a sound declaration is refused: %s", got)
	}
}

func TestRowsOfATableMustDiffer(t *testing.T) {
	type item struct {
		A string `dynamo:"a"`
		B string `dynamo:"b"`
	}
	for _, c := range []struct {
		name string
		rows []keyspec.Row
		want string
	}{
		{"different partitions", []keyspec.Row{{Key: keyspec.K("x/{a}", "-")}, {Key: keyspec.K("y/{a}", "-")}}, ""},
		{"different sort keys", []keyspec.Row{{Key: keyspec.K("x/{a}", "p/{b}")}, {Key: keyspec.K("x/{b}", "q/{a}")}}, ""},
		{"the same key", []keyspec.Row{{Key: keyspec.K("x/{a}", "-")}, {Key: keyspec.K("x/{b}", "-")}}, "can produce the same key"},
		{"the same key by chance", []keyspec.Row{{Key: keyspec.K("x/{a}", "{b}")}, {Key: keyspec.K("x/{b}", "all")}}, "can produce the same key"},
		{"a prefix of the other", []keyspec.Row{{Key: keyspec.K("x/{a}", "p/{b}"), Overlaps: []string{"p/{b}/q"}}, {Key: keyspec.K("x/{a}", "p/{b}/q")}}, `add "p/{b}" to its Overlaps`},
		{"a prefix that both acknowledge",
			[]keyspec.Row{{Key: keyspec.K("x/{a}", "p/{b}"), Overlaps: []string{"p/{b}/q"}}, {Key: keyspec.K("x/{a}", "p/{b}/q"), Overlaps: []string{"p/{b}"}}}, ""},
		{"a prefix in an index", []keyspec.Row{
			{Key: keyspec.K("x/{a}", "-"), On: keyspec.Indexes{A1: keyspec.K("all", "{b}")}},
			{Key: keyspec.K("y/{a}", "-"), On: keyspec.Indexes{A1: keyspec.K("all", "s/{b}")}}}, "on GSI-A1 also meets"},
		{"equal literals in an index", []keyspec.Row{
			{Key: keyspec.K("x/{a}", "-"), On: keyspec.Indexes{A1: keyspec.K("f/{b}", "chat")}},
			{Key: keyspec.K("y/{a}", "-"), On: keyspec.Indexes{A1: keyspec.K("f/{b}", "chatMessage")}}}, ""},
	} {
		table := &keyspec.Table{Name: "t", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{A1}}
		for _, row := range c.rows {
			keyspec.Define[item](table, row)
		}
		err := table.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: Check = %v, want %q", c.name, err, c.want)
		}
	}
}
