package ops_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
)

// BenchmarkCases reads a page of fifty open cases: a long queue must answer as fast as a short
// one, with and without a selection.
func BenchmarkCases(b *testing.B) {
	for _, waiting := range []int{100, 100_000} {
		stored, _ := open(b)
		s := stored.Operators
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range waiting {
			about := desk.Item{System: "social", Kind: desk.Kinds[i%3], ItemID: fmt.Sprint("item", i)}
			if err := s.Decide(b.Context(), desk.Reported(nil, about, "ana", at.Add(time.Duration(i)*time.Second), 1)); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(fmt.Sprint("all/", waiting), func(b *testing.B) {
			for b.Loop() {
				if p, err := s.Cases(b.Context(), desk.Open, page.Query{First: 50}); err != nil || len(p.Items) != 50 {
					b.Fatal(len(p.Items), err)
				}
			}
		})
		b.Run(fmt.Sprint("kind/", waiting), func(b *testing.B) {
			for b.Loop() {
				if p, err := s.CasesIn(b.Context(), desk.Open, "social", desk.Comment, 0, 33); err != nil || len(p) != 33 {
					b.Fatal(len(p), err)
				}
			}
		})
	}
}
