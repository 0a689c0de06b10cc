package search_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/search"
	"stoa/internal/kit/words"
)

// naiveRank is the rank of a document, computed by comparing all words.
type naiveRank struct {
	id                     string
	matched, score, length int
	words                  string
}

// naive computes a rank by applying the rules word by word.
func naive(d search.Document, query []string) (r naiveRank) {
	r.id = d.ID
	var all []string
	for _, texts := range d.Fields {
		var different []string
		for _, word := range words.Split(texts[0]) {
			if !slices.Contains(different, word) {
				different = append(different, word)
			}
		}
		all = append(all, strings.Join(different, " "))
	}
	r.words = strings.Join(all, "\n")
	r.length = strings.Count(r.words, " ")
	last := query[len(query)-1]
	slices.Sort(query)
	for _, word := range slices.Compact(query) {
		score := 0
		for field, weight := range []int{2, 1} {
			best := 0
			for _, own := range words.Split(d.Fields[field][0]) {
				switch {
				case own == word:
					best = 4
				case word == last && strings.HasPrefix(own, word):
					best = max(best, 1)
				}
			}
			score += best * weight
		}
		if r.score += score; score > 0 {
			r.matched++
		}
	}
	return r
}

func (r naiveRank) before(o naiveRank) int {
	return cmp.Or(o.matched-r.matched, o.score-r.score, r.length-o.length, strings.Compare(r.words, o.words), strings.Compare(r.id, o.id))
}

// TestRandomHistories changes documents at random and compares each search with a linear
// search.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 19))
			l := newLibrary(t, people)
			for range 400 {
				id := fmt.Sprint(r.IntN(40))
				switch r.IntN(5) {
				case 0:
					l.set(id)
				case 1, 2:
					l.person(id, text(r, 1), text(r, 4))
				default:
					l.compare(text(r, 3), r.IntN(10), 1+r.IntN(10))
				}
			}
			if _, err := l.finder.Rebuild(t.Context(), l, nil); err != nil {
				t.Fatal(err)
			}
			for _, letter := range "abc" {
				l.compare(string(letter), 0, 100)
			}
		})
	}
}

func (l *library) compare(query string, offset, limit int) {
	l.t.Helper()
	var all []naiveRank
	if asked := words.Split(query); len(asked) > 0 {
		for _, d := range l.documents {
			if r := naive(d, asked); r.matched > 0 {
				all = append(all, r)
			}
			asked = words.Split(query)
		}
	}
	slices.SortFunc(all, naiveRank.before)
	var want []string
	for _, r := range all[min(offset, len(all)):min(offset+limit, len(all))] {
		want = append(want, r.id)
	}
	hits, err := l.finder.Find(l.t.Context(), search.Query{Text: query, Offset: offset, Limit: limit})
	if err != nil {
		l.t.Fatal(err)
	}
	if !slices.Equal(hits.IDs, want) || hits.More != (offset+limit < len(all)) {
		l.t.Fatalf("%q from %d finds %q, more %v; want %q of %d", query, offset, hits.IDs, hits.More, want, len(all))
	}
}

// text returns up to most short words over a small alphabet, so that many are similar.
func text(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		for range 1 + r.IntN(3) {
			b.WriteByte("aAbc_."[r.IntN(6)])
		}
		b.WriteByte(" -+"[r.IntN(3)])
	}
	return b.String()
}
