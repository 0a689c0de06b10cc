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
		{"a fragment that spreads itself", `{...F} fragment F on Query{a{...F}}`, false},
		{"fragments in a ring", `{...F} fragment F on Query{a{...G} b{...G}} fragment G on Query{a{...F} b{...F}}`, true},
		{"a fragment that does not exist", `{...F}`, false},
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

// doubling returns a document whose number of fields doubles with each of n fragments.
func doubling(n int) string {
	query := `{...F0}`
	for i := range n {
		query += fmt.Sprintf(` fragment F%d on Query{x{...F%d} y{...F%d}}`, i, i+1, i+1)
	}
	return query + fmt.Sprintf(` fragment F%d on Query{a}`, n)
}
