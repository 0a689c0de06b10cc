package itemcodec

import "sync/atomic"

// Columns finds a fixed list of attributes in items of one table in one pass. It is safe
// for concurrent use.
type Columns struct {
	wanted []string
	state  atomic.Pointer[columns]
}

// columns maps the numbers of a dictionary to positions in the list.
type columns struct {
	names *names
	byID  []uint16 // position in the list from 1; 0 if not in it
}

// NewColumns returns the columns with these names, which must be distinct.
func NewColumns(names ...string) *Columns { return &Columns{wanted: names} }

// Index returns the position of a name in the list, or -1 if it is not in it.
func (c *Columns) Index(name string) int {
	for i, wanted := range c.wanted {
		if wanted == name {
			return i
		}
	}
	return -1
}

// Find returns the values of the columns in v, in the order of the list, in dst if it is
// large enough. An absent one has kind 0. The values share memory with v.
func (c *Columns) Find(v View, dst []Value) []Value {
	if cap(dst) < len(c.wanted) {
		dst = make([]Value, len(c.wanted))
	}
	found := dst[:len(c.wanted)]
	clear(found)
	if !v.Exists() {
		return found
	}
	byID := c.of(v.names)
	for _, rest := v.attributes(); len(rest) > 0; {
		id, name, val, next, ok := v.names.entry(rest)
		if !ok {
			break
		}
		i := -1
		if name != nil {
			i = c.Index(textOf(name))
		} else if id < len(byID) {
			i = int(byID[id]) - 1
		}
		if i >= 0 {
			found[i] = val
		}
		rest = next
	}
	return found
}

// of returns the positions by number, updated if the dictionary has grown.
func (c *Columns) of(n *names) []uint16 {
	if s := c.state.Load(); s != nil && s.names == n {
		return s.byID
	}
	s := &columns{names: n}
	for i, name := range c.wanted {
		id, known := n.byName[name]
		if !known {
			continue
		}
		for len(s.byID) <= int(id) {
			s.byID = append(s.byID, 0)
		}
		s.byID[id] = uint16(i + 1)
	}
	c.state.Store(s)
	return s.byID
}
