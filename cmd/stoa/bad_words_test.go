package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// chats 0.8#1: a file of words can be replaced while the service runs.
func TestReadBadWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "words.json")
	for text, want := range map[string][]string{
		`{"darn": 1, "heck": true}`: {"darn", "heck"},
		`{}`:                        {},
		`["darn"]`:                  nil,
		``:                          nil,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		words, err := readBadWords(file)
		slices.Sort(words)
		if (err != nil) != (want == nil) || !slices.Equal(words, want) {
			t.Errorf("%s holds %v, %v, want %v", text, words, err, want)
		}
	}
	if words, err := readBadWords(""); words != nil || err != nil {
		t.Errorf("no file holds %v, %v", words, err)
	}
	if _, err := readBadWords(file + ".none"); err == nil {
		t.Error("a file that is not there holds words")
	}
}
