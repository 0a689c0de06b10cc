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
// that reads them.
//
// Facts are the structs in the package of nouns with names ending in Facts, and the structs
// of that package that they contain by value, such as a relation. Other packages may pass
// them on and call their methods, but may neither create them nor set their fields. Types
// are identified by name, so other structs in guarded code must not have fields with these
// names.
type Gate struct {
	// Nouns is the directory of the package that declares facts.
	Nouns string
	// Guarded lists directories, including subdirectories, that must not create facts.
	Guarded []string
}

// Forgeries returns a sentence for each place where facts are created or changed, except in
// tests.
func (g Gate) Forgeries(root string) ([]string, error) {
	facts, fields, err := g.facts(root)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, dir := range g.Guarded {
		err := eachGoFile(filepath.Join(root, dir), func(file string) error {
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				return err
			}
			// Within the package of nouns, methods may derive facts from facts.
			if filepath.Dir(file) == filepath.Join(root, g.Nouns) {
				return nil
			}
			report := func(at ast.Node, what string) {
				position := set.Position(at.Pos())
				name, _ := filepath.Rel(root, position.Filename)
				found = append(found, fmt.Sprintf("%s:%d %s: facts come from the store, and changes of them are methods beside the noun", name, position.Line, what))
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if name := selected(n.Type); len(n.Elts) > 0 && slices.Contains(facts, name) {
						report(n, "builds "+name)
					}
				case *ast.AssignStmt:
					for _, to := range n.Lhs {
						for s, ok := to.(*ast.SelectorExpr); ok; s, ok = s.X.(*ast.SelectorExpr) {
							if slices.Contains(fields, s.Sel.Name) {
								report(n, "sets "+s.Sel.Name)
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

// facts returns the names of the facts and of the structs in them, and of the fields of
// facts.
func (g Gate) facts(root string) (names, fields []string, err error) {
	structs := map[string]*ast.StructType{}
	err = eachGoFile(filepath.Join(root, g.Nouns), func(file string) error {
		if filepath.Dir(file) != filepath.Join(root, g.Nouns) {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				if s, ok := t.Type.(*ast.StructType); ok {
					structs[t.Name.Name] = s
				}
			}
			return true
		})
		return nil
	})
	var add func(name string)
	add = func(name string) {
		s := structs[name]
		if s == nil || slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				if strings.HasSuffix(name, "Facts") {
					fields = append(fields, n.Name)
				}
			}
			if held, ok := f.Type.(*ast.Ident); ok {
				add(held.Name)
			}
		}
	}
	for name := range structs {
		if strings.HasSuffix(name, "Facts") {
			add(name)
		}
	}
	return names, fields, err
}

// selected returns the name of a type of another package.
func selected(t ast.Expr) string {
	if s, ok := t.(*ast.SelectorExpr); ok {
		return s.Sel.Name
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
