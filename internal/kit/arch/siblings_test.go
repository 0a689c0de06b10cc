package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// siblings lists the systems other than the social one. Each has a directory in systems,
// all with the same structure.
var siblings = []string{"pantry", "communities", "messaging", "archive"}

// librariesOf lists the libraries that the nouns of a sibling need.
var librariesOf = map[string][]string{
	"pantry":      {"github.com/cockroachdb/apd/v3"},
	"communities": {"golang.org/x/text/unicode/norm", "github.com/mtibben/confusables"},
	"archive":     {"golang.org/x/text/unicode/norm", "stoa/internal/kit/cache"},
}

// siblingFloors returns the floors of each sibling, which can import neither the social
// system nor another sibling.
func siblingFloors() (floors []Floor) {
	for _, name := range siblings {
		base := "stoa/systems/" + name
		foreign := []string{"stoa/social/...", "stoa/store/...", "stoa/graph", "stoa/resolvers"}
		for _, other := range siblings {
			if other != name {
				foreign = append(foreign, "stoa/systems/"+other+"/...")
			}
		}
		nounsNeed := slices.Concat(nounsNeed, []string{kit + "input"}, librariesOf[name])
		unrested := slices.Concat(foreign, []string{base + "/store", base + "/graph", base + "/resolvers", "stoa/internal/server/...", gqlgen, dynamo, aws})
		floors = append(floors,
			Floor{
				Of:      []string{base + "/app", base + "/seed"},
				May:     []string{base + "/...", "stoa/internal/...", dynamo, gqlgen, "github.com/google/uuid"},
				Never:   foreign,
				Because: "a system joins its own parts, and meets others only by user ids",
			},
			Floor{
				Of: []string{base + "/resolvers"},
				May: []string{
					base + "/...", kit + "refusal", kit + "viewer", kit + "page", kit + "input", kit + "resolve", kit + "batch", kit + "selection",
					gqlgen, gqlparser,
				},
				Never:   slices.Concat(foreign, []string{base + "/store", base + "/seed", dynamo, aws}),
				Because: "a resolver hands arguments to an area and decides nothing",
			},
			Floor{
				Of: []string{base + "/store"},
				May: []string{base, "stoa/internal/desk", "stoa/internal/ops", "stoa/internal/outbox", kit + "refusal", kit + "viewer", kit + "keyspec", kit + "page", kit + "input",
					kit + "stamp", kit + "stored", kit + "together", kit + "cache", dynamo, aws},
				Never:   slices.Concat(foreign, []string{base + "/graph", gqlgen}),
				Because: "the store states facts and knows neither areas nor GraphQL",
			},
			Floor{
				Of:      []string{base + "/graph"},
				May:     []string{base, kit + "refusal", kit + "page", kit + "scalar", kit + "gqlplan", kit + "selection", gqlgen, gqlparser},
				Never:   slices.Concat(foreign, []string{base + "/store", dynamo, aws}),
				Because: "the contract knows the nouns and nothing else",
			},
			Floor{Of: []string{base}, May: nounsNeed, Never: unrested, Because: "nouns and pure rules need nothing but the language"},
			Floor{
				Of:      []string{base + "/..."},
				May:     slices.Concat(nounsNeed, areasNeed, []string{base}),
				Never:   unrested,
				Because: "an area knows nouns and rules, and others only by interfaces of its own",
			},
		)
	}
	return floors
}

// TestSystemsShareOnlyMachinery checks that the social system and a sibling share no
// packages of stoa except those in internal.
func TestSystemsShareOnlyMachinery(t *testing.T) {
	packages, err := List("../../..")
	if err != nil {
		t.Fatal(err)
	}
	social := reach(packages, "stoa/social/...", "stoa/store", "stoa/graph", "stoa/resolvers")
	if len(social) == 0 {
		t.Fatal("the social system was not found")
	}
	for _, name := range siblings {
		sibling := reach(packages, "stoa/systems/"+name+"/...")
		if len(sibling) == 0 {
			t.Fatalf("system %s was not found", name)
		}
		for path := range sibling {
			if social[path] && !strings.HasPrefix(path, "stoa/internal/") {
				t.Errorf("%s and the social system share %s", name, path)
			}
		}
	}
}

// TestMachineryNamesNoSystem searches internal for identifiers with the name of a system, or
// with a noun that only systems have: what one system can be told belongs into its Options.
func TestMachineryNamesNoSystem(t *testing.T) {
	named := regexp.MustCompile("(?i)" + strings.Join(append(slices.Clone(siblings), "communit", "chat", "album"), "|"))
	err := eachGoFile("../../../internal", func(file string) error {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && named.MatchString(id.Name) {
				t.Errorf("%s: %s names a system", set.Position(id.Pos()), id.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reach returns the given packages of stoa and all packages that they import, directly or
// indirectly.
func reach(packages map[string]Package, patterns ...string) map[string]bool {
	found := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if found[path] || !strings.HasPrefix(path, "stoa/") {
			return
		}
		found[path] = true
		for _, imported := range packages[path].Imports {
			visit(imported)
		}
	}
	for path := range packages {
		if matches(patterns, path) {
			visit(path)
		}
	}
	return found
}
