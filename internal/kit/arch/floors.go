package arch

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Floor says what the packages of one storey may import. Patterns are import
// paths, or `path/...` for a path and everything below it. The standard library is
// always free.
type Floor struct {
	// Of lists the packages that stand on this floor.
	Of []string
	// May lists what they may import directly. A package of the same floor needs to
	// be listed like any other.
	May []string
	// Never lists what they must not reach, not even through what they may import.
	Never []string
	// Because is the reason for the rule, shown when it is broken.
	Because string
}

// Violations returns a sentence for each import that the floors forbid and for each
// package of the module that stands on no floor. A package stands on the first
// floor that lists it.
func Violations(floors []Floor, packages map[string]Package) []string {
	var found []string
	for path, p := range packages {
		if p.DepOnly {
			continue
		}
		i := slices.IndexFunc(floors, func(f Floor) bool { return matches(f.Of, path) })
		if i < 0 {
			found = append(found, fmt.Sprintf("%s stands on no floor: give it one", path))
			continue
		}
		floor := floors[i]
		for _, imported := range p.Imports {
			if !packages[imported].Standard && !matches(floor.May, imported) {
				found = append(found, fmt.Sprintf("%s imports %s: %s", path, imported, floor.Because))
			}
		}
		for _, chain := range reached(packages, path, floor.Never) {
			found = append(found, fmt.Sprintf("%s: %s", strings.Join(chain, " imports "), floor.Because))
		}
	}
	sort.Strings(found)
	return found
}

// reached returns, for each forbidden package that can be reached from path, one
// shortest chain of imports to it.
func reached(packages map[string]Package, path string, forbidden []string) [][]string {
	var chains [][]string
	from := map[string]string{path: ""}
	for queue := []string{path}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != path && matches(forbidden, at) {
			var chain []string
			for step := at; step != ""; step = from[step] {
				chain = append(chain, step)
			}
			slices.Reverse(chain)
			chains = append(chains, chain)
			continue
		}
		for _, next := range packages[at].Imports {
			if _, seen := from[next]; !seen {
				from[next] = at
				queue = append(queue, next)
			}
		}
	}
	return chains
}

func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		tree, whole := strings.CutSuffix(pattern, "/...")
		return path == tree || whole && strings.HasPrefix(path, tree+"/")
	})
}
