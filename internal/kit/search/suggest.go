package search

import (
	"context"
	"slices"
	"strings"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/words"
)

// suggestPage is the number of rows that Suggest reads before it skips the rest of a value.
const suggestPage = 10

// Suggest returns distinct values of fields that keep them separate: those with a word of
// the text, and those with a word that begins with its last one. Like Find, it may fail
// with an *IncompleteError.
func (f *Finder) Suggest(ctx context.Context, text string, limit int) ([]string, error) {
	if err := f.demandComplete(ctx); err != nil {
		return nil, err
	}
	p := patternOf(text)
	s := suggestions{Finder: f, pattern: p, limit: limit}
	for _, field := range f.kind.Fields {
		if !field.Values || len(p.words) == 0 {
			continue
		}
		for _, word := range p.words {
			if err := s.walk(ctx, f.having(field, word), func(last wordItem) string { return last.Value }); err != nil {
				return nil, err
			}
		}
		if err := s.walk(ctx, f.beginning(field, p.last()), func(last wordItem) string { return last.Word + f.separator + last.Value }); err != nil {
			return nil, err
		}
	}
	return s.found, nil
}

type suggestions struct {
	*Finder
	pattern pattern
	limit   int
	found   []string
}

// walk visits the values of a range. Rows of one value are consecutive and are skipped once
// the value is known: position returns the position of a row's value in the range.
func (s *suggestions) walk(ctx context.Context, r keyspec.Range[wordItem], position func(wordItem) string) error {
	for len(s.found) < s.limit {
		rows, next, err := r.Page(ctx, s.db, keyspec.Page{Limit: suggestPage})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if s.matches(row.Text) && !slices.Contains(s.found, row.Text) && len(s.found) < s.limit {
				s.found = append(s.found, row.Text)
			}
		}
		if next == "" {
			return nil
		}
		r = r.From(position(rows[len(rows)-1]) + s.nextChar)
	}
	return nil
}

func (s *suggestions) matches(value string) bool {
	h := s.pattern.match("", strings.Join(words.Split(value), " "), []Field{{Weight: 1}})
	return h.score > 0
}
