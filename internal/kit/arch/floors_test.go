package arch

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Floor lists the allowed imports of a layer of packages. Patterns are import paths, or
// `path/...` for a path and everything below it. The standard library is always allowed.
type Floor struct {
	// Of lists the packages of this floor.
	Of []string
	// May lists the packages they may import directly. Packages of the same floor must be
	// listed, too.
	May []string
	// Never lists the packages they must not depend on, not even indirectly.
	Never []string
	// Because is the reason for the rule, which is shown if it is violated.
	Because string
}

// Violations returns a sentence for each forbidden import and for each package of the
// module without a floor. A package belongs to the first floor that lists it.
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
			if !packages[imported].Standard && !matches(floor.May, imported) && !matches(language, imported) {
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

// reached returns, for each forbidden package reachable from path, a shortest chain of
// imports.
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
