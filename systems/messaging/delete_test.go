package messaging

import (
	"slices"
	"testing"
)

// messaging 5.1#6 and 5.8#1: the numbers that a deletion names.
func TestNumbersOfDeletions(t *testing.T) {
	upTo := func(n int) (all []int) {
		for i := range n {
			all = append(all, i+1)
		}
		return all
	}
	before := 3
	many := make([]SeqRange, 200)
	for i := range many {
		many[i] = SeqRange{1, 100}
	}
	for _, c := range []struct {
		name string
		d    Deletion
		want []int
		err  string
	}{
		{"nothing", Deletion{}, nil, "ONE_OF"},
		{"both", Deletion{Before: &before, Seqs: []int{1}}, nil, "ONE_OF"},
		{"before and ranges", Deletion{Before: &before, Ranges: []SeqRange{{1, 1}}}, nil, "ONE_OF"},
		{"before", Deletion{Before: &before}, nil, ""},
		{"single", Deletion{Seqs: []int{5, 1, 5}}, []int{1, 5}, ""},
		{"an empty list", Deletion{Seqs: []int{}}, nil, "INVALID_RANGE"},
		{"empty lists", Deletion{Seqs: []int{}, Ranges: []SeqRange{}}, nil, "INVALID_RANGE"},
		{"a range", Deletion{Ranges: []SeqRange{{2, 4}}}, []int{2, 3, 4}, ""},
		{"a range of one", Deletion{Ranges: []SeqRange{{4, 4}}}, []int{4}, ""},
		{"ranges that overlap", Deletion{Ranges: []SeqRange{{2, 4}, {3, 6}}}, []int{2, 3, 4, 5, 6}, ""},
		{"a number within a range", Deletion{Seqs: []int{3}, Ranges: []SeqRange{{2, 4}}}, []int{2, 3, 4}, ""},
		{"reversed", Deletion{Ranges: []SeqRange{{4, 2}}}, nil, "INVALID_RANGE"},
		{"from 0", Deletion{Ranges: []SeqRange{{0, 2}}}, nil, "INVALID_RANGE"},
		{"number 0", Deletion{Seqs: []int{0}}, nil, "INVALID_RANGE"},
		{"a negative number", Deletion{Seqs: []int{3, -1}}, nil, "INVALID_RANGE"},
		{"as many as may be", Deletion{Ranges: []SeqRange{{1, MaxDeleted}}}, upTo(MaxDeleted), ""},
		{"one more", Deletion{Ranges: []SeqRange{{1, MaxDeleted + 1}}}, nil, "TOO_MANY"},
		{"one more as a number", Deletion{Seqs: []int{MaxDeleted + 1}, Ranges: []SeqRange{{1, MaxDeleted}}}, nil, "TOO_MANY"},
		{"a range that explodes", Deletion{Ranges: []SeqRange{{1, 1<<31 - 1}}}, nil, "TOO_MANY"},
		{"the largest numbers", Deletion{Ranges: []SeqRange{{1<<31 - 2, 1<<31 - 1}}}, []int{1<<31 - 2, 1<<31 - 1}, ""},
		{"the same range many times", Deletion{Ranges: many}, upTo(100), ""},
	} {
		got, err := c.d.Numbers()
		refused(t, c.name, err, c.err)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// messaging 5.8#1: what is deleted before a number, which lies within the topic.
func TestBeforeLiesWithinTheTopic(t *testing.T) {
	for before, want := range map[int]string{-1: "INVALID_RANGE", 0: "INVALID_RANGE", 1: "", 7: "", 8: "INVALID_RANGE"} {
		refused(t, before, CheckBefore(before, &Topic{SeqID: 7}), want)
	}
}
