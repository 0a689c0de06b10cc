package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// Package is the description of a package by `go list`.
type Package struct {
	ImportPath string
	// Dir is the absolute directory of the sources.
	Dir string
	// Doc is the first sentence of the package comment.
	Doc string
	// Imports are the direct imports, without those of _test files.
	Imports []string
	// Standard is set for packages of the standard library.
	Standard bool
	// DepOnly is set for packages of other modules or the standard library.
	DepOnly bool
}

// List returns the packages below dir and everything they import, by import path.
func List(dir string) (map[string]Package, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Doc,Imports,Standard,DepOnly", "./...")
	cmd.Dir = dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, problems.String())
	}
	packages := map[string]Package{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		packages[p.ImportPath] = p
	}
}
