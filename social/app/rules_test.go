package app_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/uncited.txt")

// citing are the places in which a test says which rules it is about: comments, and the
// names of scenarios and cases.
var citing = regexp.MustCompile(`//.*|Name:\s*"[^"]*"|^\s*\{?"[A-Z]?\d+[^"]*"`)

// specifications have rules with ids, each of which a test has to cite.
var specifications = []struct {
	about string
	id    *regexp.Regexp
	// rules begin with their ids, one in a line. Those of uncited are known not to be cited,
	// "" for none: that list may only shrink.
	rules, uncited string
}{
	{"users", regexp.MustCompile(`\b[TADPUFBSCRMLV]\d+\b`), "testdata/rules.txt", "testdata/uncited.txt"},
	// What was decided about quirks, and what is observed first.
	{"posts", regexp.MustCompile(`\b(Q\d+|24\.\d+)\b`), "testdata/posts.txt", ""},
}

// Every rule is cited by a test, or is known not to be.
func TestRulesAreCited(t *testing.T) {
	for _, spec := range specifications {
		cited := citations(t, spec.id, "../../social", "../../resolvers", "../../graph", "../../cmd", "../../internal/auth", "../../internal/identity", "../../internal/server")
		var missing []string
		for _, id := range ids(t, spec.rules) {
			if !cited[id] {
				missing = append(missing, id)
			}
		}
		if *update && spec.uncited != "" {
			if err := os.WriteFile(spec.uncited, []byte(strings.Join(missing, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		known := ids(t, spec.uncited)
		for _, id := range missing {
			if !slices.Contains(known, id) {
				t.Errorf("no test cites rule %s of %s (any more): a comment or the name of a scenario has to", id, spec.about)
			}
		}
		for _, id := range known {
			if !slices.Contains(missing, id) {
				t.Logf("rule %s is cited by now: take it off %s, or run this test with -update", id, spec.uncited)
			}
		}
	}
}

// citations are all ids of a form that tests below some directories cite.
func citations(t *testing.T, id *regexp.Regexp, dirs ...string) map[string]bool {
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
					for _, id := range id.FindAllString(place, -1) {
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

// ids are the first words of the lines of a file, none of "".
func ids(t *testing.T, file string) (all []string) {
	t.Helper()
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, words[0])
		}
	}
	return all
}
