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

const (
	// rules are the ids of the rules about users that the specification states.
	rules = "testdata/rules.txt"
	// uncited are those of them that no test cites. The list may only shrink.
	uncited = "testdata/uncited.txt"
)

var (
	// citing are the places in which a test says which rules it is about: comments, and the
	// names of scenarios and cases.
	citing = regexp.MustCompile(`//.*|Name:\s*"[^"]*"|^\s*\{?"[A-Z]\d+[^"]*"`)
	ruleID = regexp.MustCompile(`\b[TADPUFBSCRMLV]\d+\b`)
)

// Every rule is cited by a test, or is known not to be.
func TestRulesAreCited(t *testing.T) {
	cited := citations(t, "../../social", "../../resolvers", "../../graph", "../../cmd", "../../internal/auth", "../../internal/identity", "../../internal/server")
	var missing []string
	for _, id := range lines(t, rules) {
		if !cited[id] {
			missing = append(missing, id)
		}
	}
	if *update {
		if err := os.WriteFile(uncited, []byte(strings.Join(missing, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known := lines(t, uncited)
	for _, id := range missing {
		if !slices.Contains(known, id) {
			t.Errorf("no test cites rule %s of users any more: a comment or the name of a scenario has to", id)
		}
	}
	for _, id := range known {
		if !slices.Contains(missing, id) {
			t.Logf("rule %s is cited by now: take it off %s, or run this test with -update", id, uncited)
		}
	}
}

// citations are all ids that tests below some directories cite.
func citations(t *testing.T, dirs ...string) map[string]bool {
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
					for _, id := range ruleID.FindAllString(place, -1) {
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

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}
