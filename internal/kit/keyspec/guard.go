package keyspec

import (
	"fmt"
	"runtime/debug"
)

// guarded converts a panic of f to an error. It is for goroutines of this package, whose
// panics callers cannot recover.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("keyspec: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
