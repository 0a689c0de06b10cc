package socialtest

import (
	"fmt"

	"stoa/internal/apptest"
)

// Given is what a scenario begins with, one thing after the other.
type Given []apptest.Step

// And adds steps to what is given.
func (g Given) And(steps ...apptest.Step) Given { return append(g[:len(g):len(g)], steps...) }

// Does adds a request of the named user, which succeeds.
func (g Given) Does(as, query string, args ...any) Given {
	return g.And(apptest.Does(as, fmt.Sprintf(query, args...)))
}
