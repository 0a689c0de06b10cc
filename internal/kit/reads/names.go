package reads

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Names are the details of one system, a bit of D each, by their names in its schema. The
// zero value is ready for use.
type Names[D ~uint64] struct{ names []string }

// New declares a detail. It is intended for package variables, next to the type that has
// the detail:
//
//	var LikeMark = details.New("LIKE_MARK")
//
// Bits depend on the order of initialization and have no meaning outside the process. New
// panics if a name is in use or no bits are left.
func (n *Names[D]) New(name string) D {
	if slices.Contains(n.names, name) {
		panic("reads: two details are named " + name)
	}
	if len(n.names) == 64 {
		panic("reads: no bit is left for " + name)
	}
	n.names = append(n.names, name)
	return 1 << (len(n.names) - 1)
}

// All returns all details.
func (n *Names[D]) All() D { return 1<<len(n.names) - 1 }

// String returns the names of the details in a set.
func (n *Names[D]) String(set D) string {
	var names []string
	for rest := uint64(set); rest != 0; rest &= rest - 1 {
		names = append(names, n.names[bits.TrailingZeros64(rest)])
	}
	return strings.Join(names, "|")
}

// Of returns the detail with a name.
func (n *Names[D]) Of(name string) (D, error) {
	i := slices.Index(n.names, name)
	if i < 0 {
		return 0, fmt.Errorf("no detail is named %s", name)
	}
	return 1 << i, nil
}

// Need panics with Unread unless all wanted details of a noun were read.
func (n *Names[D]) Need(read, wanted D, noun string) {
	if missing := wanted &^ read; missing != 0 {
		panic(Unread{Noun: noun, Detail: n.String(missing)})
	}
}

// Unread is a bug of the server: a detail of an object is used that was not read. Either
// the field lacks its @reads, or the object was read without a requested detail.
type Unread struct{ Noun, Detail string }

func (u Unread) Error() string {
	return fmt.Sprintf("%s was not read for this %s: does the field say @reads?", u.Detail, u.Noun)
}
