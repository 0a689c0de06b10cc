package archive

import (
	"slices"
	"unicode/utf8"
)

// Words returns the words that name the place: its name and alternative names, as place
// words and without duplicates.
func (p *Place) Words() (words []string) {
	for _, name := range append([]string{p.Name}, p.AltNames...) {
		if w := token(name); w != "" && utf8.RuneCountInString(w) <= maxPlace && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// Same reports whether two places are equal except for their times.
func (p *Place) Same(q *Place) bool {
	return p.ID == q.ID && p.Name == q.Name && p.FullName == q.FullName && slices.Equal(p.AltNames, q.AltNames) && slices.Equal(p.Types, q.Types) &&
		p.LocatedInID == q.LocatedInID && slices.Equal(p.AlsoLocatedInIDs, q.AlsoLocatedInIDs) && p.Level == q.Level && p.CountryID == q.CountryID &&
		sameDegrees(p.Latitude, q.Latitude) && sameDegrees(p.Longitude, q.Longitude) && p.Count == q.Count
}

func sameDegrees(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// maxNamed is the maximum number of places that a word names.
const maxNamed = 10_000

// WordChanges collects changes of the places that words name.
type WordChanges struct {
	words         []string
	more, without map[string][]ID
}

// Replace adds the changes caused by replacing a place; before is nil if there was none.
func (c *WordChanges) Replace(before, after *Place) {
	var old []string
	if before != nil {
		old = before.Words()
	}
	words := after.Words()
	for _, w := range words {
		c.note(&c.more, w, after.ID)
	}
	for _, w := range old {
		if !slices.Contains(words, w) {
			c.note(&c.without, w, after.ID)
		}
	}
}

func (c *WordChanges) note(m *map[string][]ID, word string, id ID) {
	if c.more[word] == nil && c.without[word] == nil {
		c.words = append(c.words, word)
	}
	if *m == nil {
		*m = map[string][]ID{}
	}
	(*m)[word] = append((*m)[word], id)
}

// Words returns the words that change.
func (c *WordChanges) Words() []string { return c.words }

// Made returns the words that differ from before, with all the places that they will name.
// A word that no longer names any has none.
func (c *WordChanges) Made(before map[string][]ID) (made []PlaceWord, err error) {
	for _, w := range c.words {
		ids := slices.DeleteFunc(slices.Clone(before[w]), func(id ID) bool { return slices.Contains(c.without[w], id) })
		for _, id := range c.more[w] {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		switch {
		case slices.Equal(ids, before[w]):
			continue
		case len(ids) > maxNamed:
			return nil, limit("TOO_MANY_PLACES", "The word %q names at most %d places", w, maxNamed)
		}
		made = append(made, PlaceWord{w, ids})
	}
	return made, nil
}
