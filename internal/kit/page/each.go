package page

import (
	"context"
	"errors"
	"fmt"
)

// mostFaults is how many faults of a run are told apart.
const mostFaults = 10

// Each does something with all items of a list, page by page. What fails does not keep the
// others from being done.
func Each[T any](ctx context.Context, list func(Query) (Page[T], error), do func(T) error) error {
	var faults []error
	failed := 0
	for q := (Query{First: Max}); ; {
		p, err := list(q)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, item := range p.Items {
			if err := do(item); err != nil {
				if failed++; failed <= mostFaults {
					faults = append(faults, err)
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if q.After = p.Next; q.After == "" {
			break
		}
	}
	if failed > mostFaults {
		faults = append(faults, fmt.Errorf("and %d more", failed-mostFaults))
	}
	return errors.Join(faults...)
}
