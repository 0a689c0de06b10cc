package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Gate ensures that facts, which determine what a viewer sees, are created only by the code
// that reads them, and seen nouns only from facts.
//
// Facts are the structs in the package of nouns with names ending in Facts, the viewer, and
// the structs of that package that they contain by value, such as a relation. Other packages
// may pass them on and call their methods, but may neither create them nor set their fields.
// Fields are identified by name, so other structs in guarded code must not have fields with
// these names; only Wanted, which lists what to read, names them as the facts do.
//
// Seen nouns are the structs there with names starting with Seen. They have no exported
// fields, and no other package creates them, not even the store.
type Gate struct {
	// Nouns is the directory of the package that declares facts and seen nouns.
	Nouns string
	// Guarded lists directories, including subdirectories, that must not create either.
	Guarded []string
	// Store is the directory, among those, that may create facts.
	Store string
}

const (
	fromStore = "facts come from the store, and changes of them are methods beside the noun"
	fromFacts = "seen nouns are made from facts by methods beside the noun"
)

// Forgeries returns a sentence for each place where facts or seen nouns are created or
// changed, except in tests, and for exported fields of seen nouns.
func (g Gate) Forgeries(root string) ([]string, error) {
	structs, found, err := g.structs(root)
	if err != nil {
		return nil, err
	}
	facts, fields := factsOf(structs)
	for _, dir := range g.Guarded {
		err := eachGoFile(filepath.Join(root, dir), func(file string) error {
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				return err
			}
			within, err := filepath.Rel(root, file)
			switch {
			case err != nil:
				return err
			case filepath.Dir(within) == g.Nouns: // methods may derive facts from facts
				return nil
			}
			report := func(at ast.Node, what, why string) {
				found = append(found, fmt.Sprintf("%s:%d %s: %s", within, set.Position(at.Pos()).Line, what, why))
			}
			stores := g.Store != "" && strings.HasPrefix(within, g.Store+"/")
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					switch name := selected(n.Type, filepath.Base(g.Nouns)); {
					case structs[name] != nil && isSeen(name):
						report(n, "builds "+name, fromFacts)
					case !stores && len(n.Elts) > 0 && slices.Contains(facts, name):
						report(n, "builds "+name, fromStore)
					}
				case *ast.AssignStmt:
					for _, to := range n.Lhs {
						for s, ok := to.(*ast.SelectorExpr); ok; s, ok = s.X.(*ast.SelectorExpr) {
							if !stores && slices.Contains(fields, s.Sel.Name) {
								report(n, "sets "+s.Sel.Name, fromStore)
							}
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func isSeen(name string) bool { return strings.HasPrefix(name, "Seen") }

// structs returns the structs in the package of nouns by name, and a sentence for each
// exported field of a seen noun.
func (g Gate) structs(root string) (structs map[string]*ast.StructType, found []string, err error) {
	structs = map[string]*ast.StructType{}
	err = eachGoFile(filepath.Join(root, g.Nouns), func(file string) error {
		if filepath.Dir(file) != filepath.Join(root, g.Nouns) {
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			s, ok := t.Type.(*ast.StructType)
			if !ok {
				return true
			}
			structs[t.Name.Name] = s
			for _, name := range exported(s) {
				if isSeen(t.Name.Name) {
					found = append(
						found,
						fmt.Sprintf(
							"%s:%d %s exports %s: %s",
							filepath.Join(g.Nouns, filepath.Base(file)),
							set.Position(t.Pos()).Line,
							t.Name.Name,
							name,
							fromFacts,
						),
					)
				}
			}
			return true
		})
		return nil
	})
	return structs, found, err
}

// exported returns the names of the exported fields of a struct.
func exported(s *ast.StructType) (names []string) {
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
		if len(f.Names) > 0 {
			continue
		}
		embedded := f.Type
		if pointer, ok := embedded.(*ast.StarExpr); ok {
			embedded = pointer.X
		}
		switch e := embedded.(type) {
		case *ast.Ident:
			if e.IsExported() {
				names = append(names, e.Name)
			}
		case *ast.SelectorExpr:
			names = append(names, e.Sel.Name)
		}
	}
	return names
}

// factsOf returns the names of the facts and of the structs in them, and of the fields of
// facts.
func factsOf(structs map[string]*ast.StructType) (names, fields []string) {
	var wanted []string
	if w := structs["Wanted"]; w != nil {
		wanted = exported(w)
	}
	var add func(name string)
	add = func(name string) {
		s := structs[name]
		if s == nil || slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				if strings.HasSuffix(name, "Facts") && !slices.Contains(wanted, n.Name) {
					fields = append(fields, n.Name)
				}
			}
			if held, ok := f.Type.(*ast.Ident); ok {
				add(held.Name)
			}
		}
	}
	for name := range structs {
		if strings.HasSuffix(name, "Facts") || name == "Viewer" {
			add(name)
		}
	}
	return names, fields
}

// selected returns the name of a type if it belongs to a package.
func selected(t ast.Expr, of string) string {
	if s, ok := t.(*ast.SelectorExpr); ok {
		if p, ok := s.X.(*ast.Ident); ok && p.Name == of {
			return s.Sel.Name
		}
	}
	return ""
}

// eachGoFile calls f with every Go file below a directory except tests.
func eachGoFile(dir string, f func(file string) error) error {
	return filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		return f(file)
	})
}
