package slice_test

import (
	"slices"
	"strconv"
	"testing"

	"stoa/internal/kit/slice"
)

func TestMap(t *testing.T) {
	for _, numbers := range [][]int{nil, {}, {3, 1, 2}} {
		got := slice.Map(numbers, strconv.Itoa)
		want := []string{}
		for _, n := range numbers {
			want = append(want, strconv.Itoa(n))
		}
		if got == nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v", numbers, got)
		}
	}
}
