// Package enginetest opens engines for tests.
package enginetest

import (
	"testing"

	"stoa/internal/kit/engine"
)

// Memory returns an empty engine in memory. It is closed when the test ends.
func Memory(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.OpenMemory()
	return closing(t, e, err)
}

// Open opens the engine in a directory. It is closed when the test ends.
func Open(t testing.TB, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir)
	return closing(t, e, err)
}

func closing(t testing.TB, e *engine.Engine, err error) *engine.Engine {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close the engine: %v", err)
		}
	})
	return e
}
