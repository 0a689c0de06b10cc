// Package together runs independent work concurrently, such as several reads.
package together

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Work is one unit of work. Its context is cancelled when other work fails.
type Work = func(ctx context.Context) error

// Do runs all work concurrently, one of them on the calling goroutine, and returns the first
// error once all has ended. With several, a panic becomes an error, because nothing else
// would recover it on the other goroutines.
func Do(ctx context.Context, work ...Work) error {
	if len(work) == 1 {
		return work[0](ctx)
	}
	return Each(ctx, len(work), len(work), func(ctx context.Context, i int) error { return work[i](ctx) })
}

// Each runs work for the numbers from 0 to n-1 on at most limit goroutines, of which the calling
// one is one, and returns the first error once all has ended. A panic becomes an error.
//
// A goroutine that has ended its work takes the next number: a new one for each number would
// grow its stack each time, which for a read of the embedded engine takes as long as the read.
func Each(ctx context.Context, n, limit int, work func(ctx context.Context, i int) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var next atomic.Int64
	var once sync.Once
	run := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if failure := Safely(func() error { return work(ctx, i) }); failure != nil {
				once.Do(func() { err = failure; cancel() })
			}
		}
	}
	for range min(n, limit) - 1 {
		all.Go(run)
	}
	run()
	all.Wait()
	return err
}

// Safely calls f and returns its panic as an error. It is for goroutines, whose panics
// their caller cannot recover, and for work that would be repeated by the next process.
func Safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
