// Package together does at the same time what does not depend on each other, such as
// several reads.
package together

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Work is one thing to do. Its context ends when other work fails.
type Work = func(ctx context.Context) error

// Do does all work, each on a goroutine of its own when there is more than one, and returns
// the first error once all has ended. Of several, one that panics fails: nobody else would
// catch it there.
func Do(ctx context.Context, work ...Work) error {
	if len(work) == 1 {
		return work[0](ctx)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, w := range work {
		group.Go(func() error { return safely(ctx, w) })
	}
	return group.Wait()
}

func safely(ctx context.Context, w Work) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("together: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return w(ctx)
}
