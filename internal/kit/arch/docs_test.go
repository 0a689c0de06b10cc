package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	code       = regexp.MustCompile("`[^`\n]+`")
	fence      = regexp.MustCompile("(?ms)^```(?:go|graphql)?$(.*?)^```$")
	identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	fileName   = regexp.MustCompile(`^[\w.*<>-]+(/[\w.*<>-]+)*(/|\.(go|graphqls|md|tsv|txt|yml|js))$`)
)

// The pages that tell how to add something mention files and names that exist.
func TestPagesAreTrue(t *testing.T) {
	root := "../../.."
	known, err := words(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []struct {
		file string
		// Names of files may be relative to these folders.
		folders []string
	}{
		{"adding-an-area.md", []string{"", "app", "social", "social/album"}},
		{"adding-a-system.md", []string{"", "systems/pantry", "systems/pantry/store", "systems/pantry/kitchen", "internal/server/playground/build/src"}},
		{"glossary.md", []string{""}},
	} {
		text, err := os.ReadFile(filepath.Join(root, "docs", page.file))
		if err != nil {
			t.Fatal(err)
		}
		spans := code.FindAllString(fence.ReplaceAllString(string(text), ""), -1)
		for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
			spans = append(spans, strings.Split(block[1], "\n")...)
		}
		for _, span := range spans {
			span = strings.Trim(span, "`")
			if fileName.MatchString(span) {
				if !exists(root, page.folders, span) {
					t.Errorf("%s: no file is called %s", page.file, span)
				}
				continue
			}
			for _, word := range identifier.FindAllString(span, -1) {
				if !known[word] {
					t.Errorf("%s: nothing is called %s, in `%s`", page.file, word, span)
				}
			}
		}
	}
}

// exists reports whether a file of that name, in which * and <area> stand for anything, is in
// one of the folders.
func exists(root string, folders []string, name string) bool {
	name = regexp.MustCompile(`<\w+>`).ReplaceAllString(name, "*")
	for _, folder := range folders {
		if found, _ := filepath.Glob(filepath.Join(root, folder, name)); len(found) > 0 {
			return true
		}
	}
	return false
}

// words returns all words of the sources, which is more than the names they declare.
func words(root string) (map[string]bool, error) {
	known := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		}
		switch filepath.Ext(file) {
		case ".go", ".graphqls", ".js", "":
		default:
			return nil
		}
		if d.IsDir() || !d.Type().IsRegular() || filepath.Ext(file) == "" && d.Name() != "Makefile" {
			return nil
		}
		text, err := os.ReadFile(file)
		for _, word := range identifier.FindAllString(string(text), -1) {
			known[word] = true
		}
		return err
	})
	return known, err
}
