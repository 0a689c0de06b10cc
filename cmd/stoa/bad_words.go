package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

// badWords returns the name of the file of bad words.
func (s *Settings) badWords() string {
	if s.words != nil {
		return *s.words.Load()
	}
	return s.BadWords
}

// readBadWords reads a dictionary, a JSON object whose keys are the words; nil if there is
// no file.
func readBadWords(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var entries map[string]any
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object whose keys are words: %w", file, err)
	}
	return slices.Collect(maps.Keys(entries)), nil
}
