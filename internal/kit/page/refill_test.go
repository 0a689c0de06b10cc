package page_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Pages of the even numbers in a list are full except the last, and complete.
func TestRefill(t *testing.T) {
	numbers := func(q page.Query) (p page.Page[int], err error) {
		from := 0
		if q.After != "" {
			from = int(q.After[0])
		}
		for n := from; n < from+q.First && n < 21; n++ {
			p.Items = append(p.Items, n)
		}
		if from+q.First < 21 {
			p.Next = string([]byte{byte(from + q.First)})
		}
		return p, nil
	}
	even := func(some []int) ([]int, error) {
		return slices.DeleteFunc(some, func(n int) bool { return n%2 == 1 }), nil
	}
	var all []int
	for q := (page.Query{First: 4}); ; {
		p, err := page.Refill(q, numbers, even)
		if err != nil || p.Next != "" && len(p.Items) != 4 {
			t.Fatalf("%+v, %v", p, err)
		}
		all = append(all, p.Items...)
		if q.After = p.Next; p.Next == "" {
			break
		}
	}
	if want := []int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20}; !slices.Equal(all, want) {
		t.Errorf("listed %v", all)
	}
	broken := errors.New("broken")
	if _, err := page.Refill(page.Query{First: 1}, numbers, func([]int) ([]int, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A page whose items are all hidden takes a limited number of reads, and the next one starts
// where it stopped.
func TestRefillIsBounded(t *testing.T) {
	const last = 2_500
	reads := 0
	numbers := func(q page.Query) (p page.Page[int], err error) {
		reads++
		from := 0
		if q.After != "" {
			if from, err = strconv.Atoi(q.After); err != nil {
				return p, err
			}
		}
		for n := from; n < min(from+q.First, last+1); n++ {
			p.Items = append(p.Items, n)
		}
		if from+q.First <= last {
			p.Next = strconv.Itoa(from + q.First)
		}
		return p, nil
	}
	only := func(some []int) ([]int, error) {
		return slices.DeleteFunc(some, func(n int) bool { return n != last }), nil
	}
	var all []int
	pages := 0
	for q := (page.Query{First: 10}); ; pages++ {
		reads = 0
		p, err := page.Refill(q, numbers, only)
		if err != nil || reads > 20 {
			t.Fatalf("%d reads, %v", reads, err)
		}
		all = append(all, p.Items...)
		if q.After = p.Next; p.Next == "" {
			break
		}
	}
	if !slices.Equal(all, []int{last}) || pages < 2 {
		t.Errorf("%d pages list %v", pages, all)
	}
}

func TestRefused(t *testing.T) {
	for err, reason := range map[error]string{page.ErrLimit: "INVALID_LIMIT", page.ErrToken: "INVALID_TOKEN"} {
		var r *refusal.Error
		if !errors.As(page.Refused(err), &r) || r.Kind != refusal.BadInput || r.Reason != reason {
			t.Errorf("%v becomes %v", err, page.Refused(err))
		}
	}
	if err := errors.New("other"); page.Refused(err) != err || page.Refused(nil) != nil {
		t.Error("another error is changed")
	}
}
