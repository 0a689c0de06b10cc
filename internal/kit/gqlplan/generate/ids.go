package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
)

// bindIDs binds the scalar ID to the types of ids in autobound packages, unless the
// configuration binds it or there are none. They are the exported types with names ending
// in ID.
func bindIDs(c *config.Config) error {
	if c.Models.Exists("ID") {
		return nil
	}
	var found []string
	for _, path := range c.AutoBind {
		dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
		if err != nil {
			return fmt.Errorf("find package %s: %w", path, err)
		}
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
		if err != nil {
			return err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if t, ok := n.(*ast.TypeSpec); ok && t.Name.IsExported() && strings.HasSuffix(t.Name.Name, "ID") {
					found = append(found, path+"."+t.Name.Name)
				}
				return true
			})
		}
	}
	if len(found) > 0 {
		c.Models.Add("ID", "github.com/99designs/gqlgen/graphql.ID")
	}
	for _, name := range found {
		c.Models.Add("ID", name)
	}
	return nil
}
