package operation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

func TestOverlaps(t *testing.T) {
	repeat := func(n int, text string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(text, "#", "%[1]d"), i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, query string
		refused     bool
	}{
		{"one field", `{a}`, false},
		{"many fields", `{` + repeat(1500, ` a#`) + `}`, false},
		{"more fields than any app selects", `{` + repeat(4900, ` a#:b`) + `}`, true},
		{"a field of many components", `{posts{` + repeat(200, ` ...F#`) + `}}` + repeat(200, ` fragment F# on Post{id text author{id name}}`), true},
		{"a field of some components", `{posts{` + repeat(100, ` ...F#`) + `}}` + repeat(100, ` fragment F# on Post{id text author{id name}}`), false},
		{"a field again and again", `{` + strings.Repeat(` a`, 14_000) + `}`, true},
		{"an object again and again", `{` + strings.Repeat(` a{b}`, 4_000) + `}`, true},
		{"in inline fragments", `{` + strings.Repeat(` ...{a}`, 4_000) + `}`, true},
		{"in fragments", `{` + repeat(100, ` ...F#`) + `}` + repeat(100, ` fragment F# on Query{`+strings.Repeat(` a`, 40)+`}`), true},
		{"below objects", `{` + strings.Repeat(` o{`+strings.Repeat(` a`, 30)+`}`, 30) + `}`, true},
		{"fragments that spread others twice", doubling(60), true},
		{"a fragment that does not exist", `{...F}`, false},
		{"in a fragment that is not used", `{a} fragment F on Query{` + strings.Repeat(` a`, 14_000) + `}`, true},
		{"in the second fragment of a name", `{...F} fragment F on Query{a} fragment F on Query{` + strings.Repeat(` a`, 14_000) + `}`, true},
		{"far down", strings.Repeat(`{a`, 70) + `{` + strings.Repeat(` a`, 13_000) + `}` + strings.Repeat(`}`, 70), true},
		{"in inline fragments within others", `{` + strings.Repeat(`...{`, 900) + strings.Repeat(` a`, 300) + strings.Repeat(`}`, 900) + `}`, true},
		{"a spread again and again", `{` + strings.Repeat(` ...F`, 5_000) + `} fragment F on Query{a}`, true},
		{"arguments again and again", `{` + strings.Repeat(` a(b:[`+strings.Repeat(`1 `, 40)+`])`, 100) + `}`, true},
		{"in many operations", repeat(100, ` query q#{...F}`) + ` fragment F on Query{` + strings.Repeat(` a`, 100) + `}`, true},
		{"many operations with one fragment", repeat(1000, ` query q#{...F}`) + ` fragment F on Query{` + repeat(100, ` a#`) + `}`, true},
		{"many fragments with one fragment", `{a}` + repeat(1000, ` fragment F# on Query{...F}`) + ` fragment F on Query{` + repeat(100, ` a#`) + `}`, true},
		{"a long list", `{a(b:[` + strings.Repeat(`1 `, 14_000) + `])}`, false},
		{"some operations", repeat(100, ` query q#{...F}`) + ` fragment F on Query{` + repeat(100, ` a#`) + `}`, false},
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: test.query})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if refused := checkOverlaps(document) != nil; refused != test.refused {
			t.Errorf("%s: refused %t", test.name, refused)
		}
	}
}

func TestCycles(t *testing.T) {
	for query, want := range map[string]string{
		`{...F} fragment F on Query{a{...F}}`:                                                      `Cannot spread fragment "F" within itself.`,
		`{a} fragment F on Query{a ...{...G}} fragment G on Query{...H} fragment H on Query{...F}`: `Cannot spread fragment "F" within itself via "G", "H".`,
		`{...F ...F} fragment F on Query{...G ...G} fragment G on Query{a}`:                        "",
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		got := checkOverlaps(document)
		if want == "" && got == nil {
			continue
		}
		if got == nil || got.Message != "Validation error of type FragmentCycle: "+want || len(got.Locations) != 1 {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

// doubling returns a document whose number of fields doubles with each of n fragments.
func doubling(n int) string {
	query := `{...F0}`
	for i := range n {
		query += fmt.Sprintf(` fragment F%d on Query{x{...F%d} y{...F%d}}`, i, i+1, i+1)
	}
	return query + fmt.Sprintf(` fragment F%d on Query{a}`, n)
}
