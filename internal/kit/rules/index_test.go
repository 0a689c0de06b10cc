package rules

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Index returns a page that lists, for each rule, the tests and the code that cite it.
func Index(pages []Page, citations []Citation) []byte {
	places := map[Citation][]string{} // by page and id, with File "test" or "code"
	for _, c := range citations {
		key := Citation{Page: c.Page, ID: c.ID, File: "code"}
		if c.Test() {
			key.File = "test"
		}
		places[key] = append(places[key], place(c))
	}
	list := func(key Citation) string {
		all := slices.Sorted(slices.Values(places[key]))
		return strings.Join(slices.Compact(all), ", ")
	}
	var out bytes.Buffer
	out.WriteString("<!-- Generated from the citations in Go files: go test ./internal/kit/rules -run Fresh -update -->\n\n# Index of rules\n\n" +
		"Which tests and which code cite a rule. [README.md](README.md) says how.\n")
	for _, page := range pages {
		fmt.Fprintf(&out, "\n## [%s](%[1]s.md)\n\n| rule | tests | code |\n| --- | --- | --- |\n", page.Name)
		for _, rule := range page.IDs {
			fmt.Fprintf(&out, "| %s | %s | %s |\n", rule, list(Citation{page.Name, rule, "test", ""}), list(Citation{page.Name, rule, "code", ""}))
		}
	}
	return out.Bytes()
}

// place is a link to the file of a citation, with the name of the declaration.
func place(c Citation) string {
	name := c.Func
	if name == "" {
		name = c.File[strings.LastIndexByte(c.File, '/')+1:]
	}
	return fmt.Sprintf("[%s](../../%s)", name, c.File)
}

// Uncited returns the rules that no test cites and that are no exceptions, and exceptions that
// a test cites nevertheless.
func Uncited(pages []Page, citations, exceptions []Citation) (problems []string) {
	cited, excepted := map[Citation]bool{}, map[Citation]bool{}
	for _, c := range citations {
		if c.Test() {
			cited[Citation{Page: c.Page, ID: c.ID}] = true
		}
	}
	for _, e := range exceptions {
		excepted[Citation{Page: e.Page, ID: e.ID}] = true
	}
	for _, page := range pages {
		for _, rule := range page.IDs {
			if key := (Citation{Page: page.Name, ID: rule}); !cited[key] && !excepted[key] {
				problems = append(problems, fmt.Sprintf("no test cites rule %s of %s", rule, page.Name))
			}
		}
	}
	for key := range maps.Keys(excepted) {
		if cited[key] {
			problems = append(problems, fmt.Sprintf("a test cites rule %s of %s: it is no exception any more", key.ID, key.Page))
		}
	}
	slices.Sort(problems)
	return problems
}
