package search

import (
	"cmp"
	"slices"
	"strings"

	"stoa/internal/kit/words"
)

// exactness is the weight of a whole word relative to a prefix. It exceeds the ratio of any
// two fields' weights, so that a whole word in the least field outranks a prefix in the
// first.
const exactness = 4

// maxQueryWords limits the cost of a query. Further words are ignored, except the last one.
const maxQueryWords = 8

// pattern is the compiled text of a query.
type pattern struct {
	// words are the distinct words of a query; the last one may be a prefix.
	words []string
}

func patternOf(text string) pattern {
	all := words.Split(cut(text, maxText))
	if len(all) == 0 {
		return pattern{}
	}
	last := all[len(all)-1]
	var p pattern
	for _, word := range all {
		if word != last && len(p.words) < maxQueryWords-1 && !slices.Contains(p.words, word) {
			p.words = append(p.words, word)
		}
	}
	p.words = append(p.words, last)
	return p
}

func (p pattern) last() string { return p.words[len(p.words)-1] }

// hit is a matching document with its ranking criteria.
type hit struct {
	id    string
	words string
	// matched is the number of matching words of the query.
	matched int
	// score is the sum over all words of the query and all fields.
	score int
	// length is the number of spaces between words: short names rank higher.
	length int
}

// match ranks a document by its words in the form of a row.
func (p pattern) match(id, all string, fields []Field) hit {
	h := hit{id: id, words: all}
	for i, word := range p.words {
		last, matched := i == len(p.words)-1, false
		n := 0
		for text := range strings.SplitSeq(all, "\n") {
			if has := quality(text, word, last); has > 0 {
				h.score += has * fields[n].Weight
				matched = true
			}
			n++
		}
		if matched {
			h.matched++
		}
	}
	h.length = strings.Count(all, " ")
	return h
}

// quality returns how well a word of a query matches the words of a field.
func quality(field, word string, prefix bool) int {
	best := 0
	for {
		at := strings.Index(field, word)
		if at < 0 {
			return best
		}
		end := at + len(word)
		if at == 0 || field[at-1] == ' ' {
			if end == len(field) || field[end] == ' ' {
				return exactness
			}
			if prefix {
				best = 1
			}
		}
		field = field[end:]
		// The rest starts within a word, unless it starts with a space.
		next := strings.IndexByte(field, ' ')
		if next < 0 {
			return best
		}
		field = field[next+1:]
	}
}

// compare orders hits, best match first; equal ones have a fixed order, so that pages are
// consistent.
func (h hit) compare(other hit) int {
	return cmp.Or(
		cmp.Compare(other.matched, h.matched),
		cmp.Compare(other.score, h.score),
		cmp.Compare(h.length, other.length),
		cmp.Compare(h.words, other.words),
		cmp.Compare(h.id, other.id),
	)
}
