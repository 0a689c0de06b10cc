package page

import (
	"context"
	"errors"
	"fmt"
)

// mostFaults is the maximum number of distinct errors of a run.
const mostFaults = 10

// Each processes all items of a list, page by page. A failure does not prevent the others
// from being processed.
func Each[T any](ctx context.Context, list func(Query) (Page[T], error), do func(T) error) error {
	var faults []error
	failed := 0
	for item, err := range All(list) {
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		if err := do(item); err != nil {
			if failed++; failed <= mostFaults {
				faults = append(faults, err)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if failed > mostFaults {
		faults = append(faults, fmt.Errorf("and %d more", failed-mostFaults))
	}
	return errors.Join(faults...)
}
