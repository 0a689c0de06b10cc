package cache

import (
	"fmt"
	"testing"
)

func TestCacheBounds(t *testing.T) {
	for _, test := range []struct {
		name            string
		count, weight   int
		weights         []int // value i is added with weights[i], then value 0 is used again
		wantKept        []int
		wantTotalWeight int
	}{
		{"within both", 3, 100, []int{10, 10, 10}, []int{0, 1, 2}, 30},
		{"too many", 2, 100, []int{10, 10, 10}, []int{0, 2}, 20},
		{"too heavy together", 10, 25, []int{10, 10, 10}, []int{0, 2}, 20},
		{"one is too heavy alone", 10, 25, []int{10, 26, 10}, []int{0, 2}, 20},
		{"one pushes out all", 10, 25, []int{10, 10, 25}, []int{2}, 25},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := New[string, int](test.count, test.weight)
			for i, weight := range test.weights {
				c.Add(fmt.Sprint(i), i, weight)
				c.Get("0")
			}
			var kept []int
			for i := range test.weights {
				if got, ok := c.Get(fmt.Sprint(i)); ok {
					if got != i {
						t.Errorf("key %d gives %d", i, got)
					}
					kept = append(kept, i)
				}
			}
			if fmt.Sprint(kept) != fmt.Sprint(test.wantKept) || c.weight != test.wantTotalWeight {
				t.Errorf("kept %v weighing %d, want %v weighing %d", kept, c.weight, test.wantKept, test.wantTotalWeight)
			}
		})
	}
}

func TestAddingAKeyAgainCountsItOnce(t *testing.T) {
	c := New[string, int](10, 100)
	for range 5 {
		c.Add("a", 1, 40)
	}
	if _, ok := c.Get("a"); !ok || c.weight != 40 {
		t.Errorf("kept %v, weight %d", ok, c.weight)
	}
}

func TestRemove(t *testing.T) {
	c := New[string, int](10, 100)
	c.Add("a", 1, 40)
	c.Remove("a")
	c.Remove("b")
	if _, ok := c.Get("a"); ok || c.weight != 0 {
		t.Errorf("kept %v, weight %d", ok, c.weight)
	}
}
