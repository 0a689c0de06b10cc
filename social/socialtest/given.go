package socialtest

import (
	"fmt"

	"stoa/internal/apptest"
)

// Given is the initial state of a scenario, as steps in order.
type Given []apptest.Step

// And returns the steps followed by others.
func (g Given) And(steps ...apptest.Step) Given { return append(g[:len(g):len(g)], steps...) }

// Does adds a request of the named user, which must succeed.
func (g Given) Does(as, query string, args ...any) Given {
	return g.And(apptest.Does(as, fmt.Sprintf(query, args...)))
}
