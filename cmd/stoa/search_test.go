package main

import (
	"strings"
	"testing"
)

// Users are found after seeding, and rebuilding the index finds nothing to correct.
func TestSearchRebuild(t *testing.T) {
	data := seeded(t, 20)
	printed, err := run(t, "search", "rebuild", "--store", data)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(printed, "users: 20 indexed under ") || !strings.Contains(printed, "; 0 stale words removed\n") {
		t.Errorf("printed %q", printed)
	}
	if _, err := run(t, "search", "rebuild", "all", "--store", data); err == nil {
		t.Error("an argument that means nothing is taken")
	}
}
