package main

import "testing"

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, 300},
		{10 << 20, 300},
		{36 << 20, 300},
		{72 << 20, 100},
		{110 << 20, 40},
		{1 << 40, 40},
	} {
		if got := growth(c.live, engineHeap); got != c.want {
			t.Errorf("of %d live bytes the heap grows by %d %%, want %d", c.live, got, c.want)
		}
	}
}
