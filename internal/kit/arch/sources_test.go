package arch

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

var resolverSignature = regexp.MustCompile(`^func \(r \*\w+Resolver\) .* \{$`)

var generatedHeader = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// Undocumented returns the packages of the module without a package comment.
func Undocumented(packages map[string]Package) []string {
	var found []string
	for path, p := range packages {
		if !p.DepOnly && p.Doc == "" {
			found = append(found, path+" has no package comment: say what it promises")
		}
	}
	return found
}

// Lines of hand-written files have at most this many characters, a tab counting as one.
const (
	maxColumns     = 160
	maxTestColumns = 180
)

// Sources checks every Go file below root: it must be formatted, have no line longer than
// [maxColumns] or [maxTestColumns] unless the line is a struct field with a tag, which cannot
// be broken, or the signature of a resolver, which gqlgen writes in one line, and must have Go's header of generated code if and only if .gitattributes marks
// it as generated.
func Sources(root string) ([]string, error) {
	attributes, err := os.ReadFile(filepath.Join(root, ".gitattributes"))
	if err != nil {
		return nil, err
	}
	marked := generatedPatterns(string(attributes))
	var found []string
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && file != root && (name == "node_modules" || name[0] == '.') {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			found = append(found, relative+" is not formatted: run gofmt -w on it")
		}
		switch generated := generatedHeader.Match(text); {
		case generated && !marked(relative):
			found = append(found, fmt.Sprintf("%s is generated: list it in .gitattributes", relative))
		case !generated && marked(relative):
			found = append(found, fmt.Sprintf("%s is written by hand, yet .gitattributes calls it generated", relative))
		case !generated:
			found = append(found, longLines(relative, string(text))...)
		}
		return nil
	})
	return found, err
}

func longLines(file, text string) (found []string) {
	limit := maxColumns
	if strings.HasSuffix(file, "_test.go") {
		limit = maxTestColumns
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > limit && !strings.HasSuffix(line, "\"`") && !resolverSignature.MatchString(line) {
			found = append(found, fmt.Sprintf("%s:%d has %d columns: at most %d are allowed", file, number, n, limit))
		}
	}
	return found
}

// generatedPatterns parses the linguist-generated lines of .gitattributes. It supports
// names with *, and dir/** for everything below a directory.
func generatedPatterns(attributes string) func(file string) bool {
	var patterns []string
	for line := range strings.Lines(attributes) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[1] == "linguist-generated=true" {
			patterns = append(patterns, fields[0])
		}
	}
	return func(file string) bool {
		for _, p := range patterns {
			if tree, ok := strings.CutSuffix(p, "/**"); ok && strings.HasPrefix(file, tree+"/") {
				return true
			}
			if ok, _ := path.Match(p, file); ok {
				return true
			}
		}
		return false
	}
}
