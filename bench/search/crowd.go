package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"stoa/internal/kit/search"
)

// crowd is a number of generated people, always the same. Names are as unevenly distributed
// as real ones: one in fifty has the most common first name.
type crowd int

type name struct{ id, username, first, last string }

// The numbers of distinct names.
const (
	firstNames = 3_000
	lastNames  = 40_000
)

func (c crowd) name(i int) name {
	r := rand.New(rand.NewPCG(uint64(i), 5))
	first, last := spell(skewed(r, firstNames), 17), spell(skewed(r, lastNames), 91)
	username := fmt.Sprintf("%s%c%s%d", first, "_."[r.IntN(2)], last, i%1000)
	if r.IntN(2) == 0 {
		username = fmt.Sprintf("%s%d", first, i)
	}
	return name{fmt.Sprintf("us-east-1:%08x-0000-4000-8000-%012x", r.Uint32(), i), username, first, last}
}

// skewed returns a random rank; small ones are more likely.
func skewed(r *rand.Rand, n int) int {
	return int(math.Exp(r.Float64()*math.Log(float64(n)+8))-1) % n
}

var (
	onsets = []string{"b", "br", "c", "ch", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w", "z", ""}
	nuclei = []string{"a", "e", "i", "o", "u", "ay", "ie", "ou"}
	codas  = []string{"", "n", "r", "s", "l", "th", "m", "x"}
)

// spell returns the name with a rank: two or three syllables.
func spell(rank, seed int) string {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(seed)))
	spelt := ""
	for range 2 + r.IntN(2) {
		spelt += onsets[r.IntN(len(onsets))] + nuclei[r.IntN(len(nuclei))] + codas[r.IntN(len(codas))]
	}
	return spelt + "el"[:r.IntN(3)]
}

func (c crowd) document(i int) search.Document {
	n := c.name(i)
	return search.Document{ID: n.id, Fields: [][]string{{n.username}, {n.first + " " + n.last}}}
}

// All yields everybody.
func (c crowd) All(context.Context) iter.Seq2[search.Document, error] {
	return func(yield func(search.Document, error) bool) {
		for i := range int(c) {
			if !yield(c.document(i), nil) {
				return
			}
		}
	}
}

// Load returns those who are requested.
func (c crowd) Load(_ context.Context, ids []string) (map[string]search.Document, error) {
	found := make(map[string]search.Document, len(ids))
	for _, id := range ids {
		var i int
		if _, err := fmt.Sscanf(id[len(id)-12:], "%x", &i); err != nil {
			return nil, err
		}
		if i < int(c) {
			found[id] = c.document(i)
		}
	}
	return found, nil
}
