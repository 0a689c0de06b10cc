package app_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// citing matches the places in which a test can cite rules: comments, and the names of
// scenarios and cases.
var citing = regexp.MustCompile(`//.*|Name:\s*"[^"]*"|^\s*\{?"[A-Z]?\d+[^"]*"`)

// pages lists the pages of docs/rules whose rules must each be cited by a test.
var pages = []struct {
	about string
	// cited returns the ids cited in such a place.
	cited func(text string) []string
}{
	{"users", form(`\b[TADPUFBSCRMLV]\d+\b`)},
	// Decisions, and the acceptance checklist.
	{"posts", form(`\b(Q\d+|24\.\d+)\b`)},
	// Sections and the rows of their tables.
	{"chats", rows("chats")},
	{"realtime", rows("realtime")},
}

// form returns a function that finds ids of the given form.
func form(id string) func(string) []string {
	ids := regexp.MustCompile(id)
	return func(text string) []string { return ids.FindAllString(text, -1) }
}

// rows finds ids that are sections, or rows of a section's tables, counted through, of what is
// about something: "chats 3.1#1-5,8, 3.8 and 0.4#5".
func rows(about string) func(string) []string {
	const section = `(\d+(?:\.\d+)?)(?:#(\d+(?:[,-]\d+)*))?`
	passage := regexp.MustCompile(`\b` + about + ` ((?:(?:, | and )?` + section + `)+)`)
	part := regexp.MustCompile(section)
	return func(text string) (ids []string) {
		for _, p := range passage.FindAllStringSubmatch(text, -1) {
			for _, s := range part.FindAllStringSubmatch(p[1], -1) {
				if s[2] == "" {
					ids = append(ids, s[1])
					continue
				}
				for some := range strings.SplitSeq(s[2], ",") {
					first, last, ranged := strings.Cut(some, "-")
					from, _ := strconv.Atoi(first)
					to := from
					if ranged {
						to, _ = strconv.Atoi(last)
					}
					for row := from; row <= to; row++ {
						ids = append(ids, fmt.Sprintf("%s#%d", s[1], row))
					}
				}
			}
		}
		return ids
	}
}

func TestRows(t *testing.T) {
	for text, want := range map[string]string{
		"// users A12: and users M3":                          "[]",
		"// chats 3.1#1-3,5, 3.8 and 0.4#5: x":    "[3.1#1 3.1#2 3.1#3 3.1#5 3.8 0.4#5]",
		"// realtime 2#1, 6 and chats 2#1, 2#13.": "[2#1 2#13]",
	} {
		if got := fmt.Sprint(rows("chats")(text)); got != want {
			t.Errorf("%s cites %s, want %s", text, got, want)
		}
	}
}

// Every rule is cited by a test.
func TestRulesAreCited(t *testing.T) {
	for _, spec := range pages {
		cited := citations(t, spec.cited, "../../social", "../../resolvers", "../../graph", "../../cmd", "../../store", "../../internal")
		rules := ids(t, "../../docs/rules/"+spec.about+".md")
		for _, id := range rules {
			if !cited[id] {
				t.Errorf("no test cites rule %s of %s: a comment or the name of a scenario has to", id, spec.about)
			}
		}
		for id := range cited {
			if strings.Contains(id, "#") && !slices.Contains(rules, id) {
				t.Errorf("a test cites rule %s of %s, which does not exist", id, spec.about)
			}
		}
	}
}

// citations returns all ids cited by tests below the given directories.
func citations(t *testing.T, citedIn func(string) []string, dirs ...string) map[string]bool {
	t.Helper()
	cited := map[string]bool{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				for _, place := range citing.FindAllString(line, -1) {
					for _, id := range citedIn(place) {
						cited[id] = true
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return cited
}

// row matches a rule in a page: its id is the first cell of a row.
var row = regexp.MustCompile(`(?m)^\| ([\w.#]+) \|`)

// ids returns the ids of the rules of a page, each of which has one row.
func ids(t *testing.T, file string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range row.FindAllStringSubmatch(string(text), -1) {
		switch id := match[1]; {
		case id == "id": // the head of a table
		case slices.Contains(all, id):
			t.Errorf("%s has two rules %s", file, id)
		default:
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		t.Errorf("%s has no rules", file)
	}
	return all
}
