package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Page lists the ids of the rules of one file, in its order.
type Page struct {
	Name string
	IDs  []string
}

// row matches a rule of a page: the first cell of a table's row is its id.
var row = regexp.MustCompile(`(?m)^\| (` + simple + `) \|`)

// indexFile and exceptionsFile are files of docs/rules without rules of their own.
const (
	indexFile      = "index.md"
	exceptionsFile = "uncited.md"
)

// Pages reads the pages of a directory.
func Pages(dir string) ([]Page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	var pages []Page
	for _, file := range files {
		if slices.Contains([]string{"README.md", indexFile, exceptionsFile}, filepath.Base(file)) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		page := Page{Name: strings.TrimSuffix(filepath.Base(file), ".md")}
		for _, match := range row.FindAllStringSubmatch(string(text), -1) {
			if slices.Contains(page.IDs, match[1]) {
				return nil, fmt.Errorf("%s has two rules %s", file, match[1])
			}
			page.IDs = append(page.IDs, match[1])
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// exception matches a rule that need not be cited, with the reason.
var exception = regexp.MustCompile(`(?m)^\| (\w+ ` + id + `(?:(?:, | and )` + id + `)*) \| \w.* \|$`)

// Exceptions returns the rules that the file of exceptions lists.
func (r Reader) Exceptions(dir string) ([]Citation, error) {
	text, err := os.ReadFile(filepath.Join(dir, exceptionsFile))
	if err != nil {
		return nil, err
	}
	var all []Citation
	for _, match := range exception.FindAllStringSubmatch(string(text), -1) {
		cited, _, problems := r.cited(match[1])
		if problems != nil {
			return nil, fmt.Errorf("%s: %s", exceptionsFile, strings.Join(problems, ", "))
		}
		all = append(all, cited...)
	}
	return all, nil
}
