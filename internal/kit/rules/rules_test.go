package rules

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/rules/index.md")

const (
	root = "../../.."
	docs = root + "/docs/rules"
)

// Every rule of docs/rules is cited by a test, every citation leads to a rule and says what
// holds, and the index of rules lists them all.
func TestIndexIsFresh(t *testing.T) {
	pages, err := Pages(docs)
	if err != nil {
		t.Fatal(err)
	}
	reader := NewReader(pages)
	citations, problems, err := reader.Read(root, "internal/kit/rules")
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := reader.Exceptions(docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range append(problems, Uncited(pages, citations, exceptions)...) {
		t.Error(problem)
	}
	index, file := Index(pages, citations), filepath.Join(docs, indexFile)
	if *update {
		if err := os.WriteFile(file, index, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, index) {
		t.Errorf("docs/rules/%s is stale: go test ./internal/kit/rules -run Fresh -update", indexFile)
	}
}
