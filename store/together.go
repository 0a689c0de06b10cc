package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
)

// addTogether stores n items of different users in one transaction, and returns the error of
// each. write runs the transaction for those with the given numbers, and returns the actions that
// concern each of them alone. Items whose actions are refused are left out, and the others
// written again. If nothing of a single item is refused, the error is that of all.
func addTogether(n int, write func(left []int) (of [][]keyspec.Action, err error)) []error {
	errs := make([]error, n)
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		of, err := write(left)
		if err == nil {
			break
		}
		outcome := stored.Outcome(err)
		var rest []int
		for place, i := range left {
			refused := false
			for _, a := range of[place] {
				refused = refused || keyspec.Refused(err, a)
			}
			if errs[i] = outcome; !refused {
				rest = append(rest, i)
			}
		}
		if len(rest) == len(left) {
			break
		}
		for _, i := range rest {
			errs[i] = nil
		}
		left = rest
	}
	return errs
}
