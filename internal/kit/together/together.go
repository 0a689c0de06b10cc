// Package together runs independent work concurrently, such as several reads.
package together

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Work is one unit of work. Its context is cancelled when other work fails.
type Work = func(ctx context.Context) error

// Do runs all work, on separate goroutines if there is more than one, and returns the first
// error once all has ended. With several, a panic becomes an error, because nothing else
// would recover it there.
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
