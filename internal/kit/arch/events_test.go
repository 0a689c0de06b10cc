package arch

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/events.md")

const eventsPage = "../../../docs/events.md"

// eventsMark is the line of docs/events.md after which the table begins.
const eventsMark = "<!-- The rest is printed by go test ./internal/kit/arch -run EventsFresh -update -->\n"

// docs/events.md lists every event with the key that orders it, as declared.
func TestEventsFresh(t *testing.T) {
	page, err := os.ReadFile(eventsPage)
	if err != nil {
		t.Fatal(err)
	}
	prose, _, found := strings.Cut(string(page), eventsMark)
	if !found {
		t.Fatalf("%s lacks the line %q", eventsPage, eventsMark)
	}
	want := prose + eventsMark + "\n" + printEvents(t)
	if *update {
		if err := os.WriteFile(eventsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(page) {
		t.Errorf("docs/events.md is stale: go test ./internal/kit/arch -run EventsFresh -update")
	}
}

// printedEvent is a row of the table.
type printedEvent struct{ name, typ, key, why string }

func printEvents(t *testing.T) string {
	var all []printedEvent
	for _, pattern := range []string{"../../../social/*.go", "../../../systems/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				all = append(all, eventsOf(t, file)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b printedEvent) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	b.WriteString("| event | type | ordering key | why |\n| --- | --- | --- | --- |\n")
	for _, e := range all {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", e.name, e.typ, e.key, e.why)
	}
	return b.String()
}

// eventsOf returns the events that a file declares.
func eventsOf(t *testing.T, file string) []printedEvent {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*printedEvent{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name != "EventName" && f.Name.Name != "OrderingKey" {
			continue
		}
		typ := f.Recv.List[0].Type.(*ast.Ident).Name
		e := found[typ]
		if e == nil {
			e = &printedEvent{typ: parsed.Name.Name + "." + typ}
			found[typ] = e
		}
		results := returned(t, set, f)
		if f.Name.Name == "EventName" {
			name, err := strconv.Unquote(results[0])
			if err != nil {
				t.Fatalf("the name of event %s is no literal", typ)
			}
			e.name = name
			continue
		}
		e.key = "`" + strings.Join(results, "` or `") + "`"
		why := strings.TrimPrefix(strings.Join(strings.Fields(f.Doc.Text()), " "), "OrderingKey is ")
		e.why = why
	}
	var all []printedEvent
	for _, e := range found {
		all = append(all, *e)
	}
	return all
}

// returned returns the expressions that a method returns.
func returned(t *testing.T, set *token.FileSet, f *ast.FuncDecl) (all []string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			var b bytes.Buffer
			if err := printer.Fprint(&b, set, r.Results[0]); err != nil {
				t.Fatal(err)
			}
			all = append(all, b.String())
		}
		return true
	})
	return all
}
