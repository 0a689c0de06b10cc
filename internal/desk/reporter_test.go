package desk

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// operator 7#6: what the reports of somebody weigh, after so many that led to a removal and so many
// that did not.
func TestWeights(t *testing.T) {
	if w := (*Reporter)(nil).Weight(); w != 10 {
		t.Errorf("reports of somebody unknown weigh %d tenths", w)
	}
	for _, test := range []struct{ removed, kept, weight int }{
		{0, 0, 10}, {0, 4, 10}, {1, 3, 10}, // few
		{0, 5, 1}, {1, 4, 2}, {2, 3, 4}, {3, 3, 10}, {3, 2, 10}, {5, 0, 10},
		{1, 9, 1}, {2, 8, 2}, {4, 6, 4}, {5, 5, 10}, {1, 30, 1}, {24, 26, 4}, {25, 25, 10},
		{60, 26, 4}, {60, 25, 10}, // of the last fifty
	} {
		var r Reporter
		for i := range test.removed {
			r, _ = r.With(item(i), Remove)
		}
		for i := range test.kept {
			r, _ = r.With(item(1000+i), Keep)
		}
		if w := r.Weight(); w != test.weight || len(r.Judged) > 50 {
			t.Errorf("%d removed, %d kept: %d tenths of %d reports, want %d", test.removed, test.kept, w, len(r.Judged), test.weight)
		}
	}
}

func item(i int) Item { return Item{"social", Post, fmt.Sprint("p", i)} }

// operator 7#6: an item counts once for its reporter, by its latest decision.
func TestAnItemCountsOnce(t *testing.T) {
	var r Reporter
	for i := range 5 {
		r, _ = r.With(item(i), Keep)
	}
	before := slices.Clone(r.Judged)
	if again, changed := r.With(item(2), Keep); changed || again.Revision != r.Revision {
		t.Error("the same decision changes something")
	}
	overturned, changed := r.With(item(2), Remove)
	if !changed || overturned.Revision != r.Revision+1 || overturned.Weight() != 2 || len(overturned.Judged) != 5 {
		t.Errorf("after another decision: %+v", overturned)
	}
	if !slices.Equal(r.Judged, before) {
		t.Error("the reporter before has changed")
	}
}

// operator 7#6: which of the decisions about an item are about a report of it.
func TestDecisionsOnReports(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 1, 1, 12, minute, 0, 0, time.UTC) }
	for _, test := range []struct {
		name         string
		reports      []int
		decisions    map[int]Verdict
		verdicts     []Verdict
		lastReported int
	}{
		{"nothing is decided", []int{1, 2}, nil, []Verdict{"", ""}, 2},
		{"one decision", []int{1, 2}, map[int]Verdict{3: Remove}, []Verdict{Remove, Remove}, 2},
		{"a report after it", []int{1, 4}, map[int]Verdict{3: Keep}, []Verdict{Keep, ""}, 4},
		{"two rounds", []int{1, 4}, map[int]Verdict{3: Keep, 5: Remove}, []Verdict{Keep, Remove}, 4},
		{"an appeal", []int{1, 2}, map[int]Verdict{3: Remove, 9: Keep}, []Verdict{Keep, Keep}, 2},
		{"corrected", []int{1, 2}, map[int]Verdict{3: Keep, 4: Remove}, []Verdict{Remove, Remove}, 2},
		{"corrected in the second round", []int{1, 4}, map[int]Verdict{3: Keep, 5: Keep, 6: Remove}, []Verdict{Keep, Remove}, 4},
	} {
		c := &Case{LastReportedAt: at(test.lastReported)}
		for minute := range 10 {
			if v := test.decisions[minute]; v != "" {
				c.Decisions = append(c.Decisions, Decision{When: at(minute), Verdict: v})
			}
		}
		for i, minute := range test.reports {
			var v Verdict
			if d := c.DecisionOn(Report{When: at(minute)}); d != nil {
				v = d.Verdict
			}
			if v != test.verdicts[i] {
				t.Errorf("%s: the verdict on report %d is %q, want %q", test.name, i, v, test.verdicts[i])
			}
		}
	}
}
