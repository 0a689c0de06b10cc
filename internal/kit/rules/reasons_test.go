package rules

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stoa/internal/kit/refusal"
)

// kinds are those of errors with a reason, by name.
var kinds = map[string]refusal.Kind{
	"NotFound": refusal.NotFound, "Taken": refusal.Taken, "Conflict": refusal.Conflict, "Forbidden": refusal.Forbidden, "Outdated": refusal.Outdated,
	"BadInput": refusal.BadInput, "BadReference": refusal.BadReference, "LimitExceeded": refusal.LimitExceeded, "Precondition": refusal.Precondition,
	"Unauthenticated": refusal.Unauthenticated,
}

// verb is a part of a text that differs.
var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[\d.]*[a-z]`)

// reasons returns the texts of a system's errors by reason and code, in alphabetical order.
func reasons(t *testing.T, system string) map[[2]string][]string {
	t.Helper()
	found := map[[2]string][]string{}
	err := filepath.WalkDir(filepath.Join(root, "systems", system), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "generated") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				key, text := refusalOf(call)
				if key[0] == "" {
					return true
				}
				if found[key] == nil {
					found[key] = []string{}
				}
				if strings.Trim(text, "… ") != "" { // some texts are those of another error
					found[key] = append(found[key], text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, texts := range found {
		slices.Sort(texts)
		found[key] = slices.Compact(texts)
	}
	return found
}

// refusalOf returns reason, code and text of a call that makes an error with a reason.
func refusalOf(call *ast.CallExpr) (key [2]string, text string) {
	name, args := "", call.Args
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	kind := refusal.BadInput
	switch {
	case name == "badInput" || name == "BadInput":
	case name == "New" && len(args) > 2:
		selected, ok := args[0].(*ast.SelectorExpr)
		if !ok || kinds[selected.Sel.Name] == 0 {
			return key, ""
		}
		kind, args = kinds[selected.Sel.Name], args[1:]
	default:
		return key, ""
	}
	if len(args) < 2 {
		return key, ""
	}
	return [2]string{literal(args[0]), kind.String()}, verb.ReplaceAllString(literal(args[1]), "…")
}

// literal returns the value of a text, or "".
func literal(e ast.Expr) string {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(l.Value)
	return text
}

// shownTexts is the number of texts listed of a reason that has several.
const shownTexts = 2

func table(found map[[2]string][]string) string {
	var b strings.Builder
	b.WriteString("| `extensions.reason` | `extensions.code` | Text |\n| --- | --- | --- |\n")
	keys := slices.SortedFunc(maps.Keys(found), func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	for _, key := range keys {
		texts := found[key]
		if len(texts) > shownTexts {
			texts = append(slices.Clone(texts[:shownTexts]), "and others")
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", key[0], key[1], cmp.Or(strings.ReplaceAll(strings.Join(texts, "; "), "|", `\|`), "-"))
	}
	return b.String()
}

// TestReasonsAreFresh compares the last section of each page with the errors in the source.
func TestReasonsAreFresh(t *testing.T) {
	const heading = "\n## Reasons of errors\n\nGenerated from the source by `go test ./internal/kit/rules -run Fresh -update`. Branch on these rather than on texts.\n\n"
	for _, system := range []string{"pantry", "communities", "messaging", "archive"} {
		page := filepath.Join(root, "docs", system+".md")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := reasons(t, system)
		if len(found) == 0 {
			t.Errorf("%s: no reasons found: they are written in another way now", system)
		}
		written, _, _ := strings.Cut(string(text), heading)
		fresh := strings.TrimRight(written, "\n") + "\n" + heading + table(found)
		switch {
		case fresh == string(text):
		case *update:
			if err := os.WriteFile(page, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s lists other reasons than the source has: run go test ./internal/kit/rules -run Fresh -update", page)
		}
	}
}
