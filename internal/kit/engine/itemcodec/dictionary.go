package itemcodec

import (
	"strings"
	"sync"
	"sync/atomic"
)

// MaxNames is the maximum number of names in a Dictionary. A table whose items use data as
// attribute names fills its dictionary; further names are stored in full.
const MaxNames = 1000

// maxNameLength is the maximum length of a numbered name, in bytes.
const maxNameLength = 64

// Dictionary numbers the attribute names of one table. Numbers are assigned in order, and
// never changed or reused, because stored items contain them. It is safe for concurrent
// use.
type Dictionary struct {
	mu    sync.Mutex
	state atomic.Pointer[names]
}

// names is replaced as a whole, so readers need no lock.
type names struct {
	byID   []string
	byName map[string]uint32
}

// NewDictionary returns a dictionary holding names, numbered from 0.
func NewDictionary(known ...string) *Dictionary {
	d := &Dictionary{}
	d.state.Store(newNames(known))
	return d
}

func newNames(known []string) *names {
	n := &names{byID: known, byName: make(map[string]uint32, len(known))}
	for id, name := range known {
		n.byName[name] = uint32(id)
	}
	return n
}

// Learn assigns numbers to new names of item and calls record for each before it is used.
// If record fails, the dictionary is unchanged from that name on and the error is returned.
func (d *Dictionary) Learn(item Item, record func(id int, name string) error) error {
	if d.knows(item) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.state.Load()
	grown := n.byID[:len(n.byID):len(n.byID)]
	defer func() {
		if len(grown) > len(n.byID) {
			d.state.Store(newNames(grown))
		}
	}()
	for name := range item {
		if _, known := n.byName[name]; known || len(name) > maxNameLength || len(grown) == MaxNames {
			continue
		}
		if err := record(len(grown), name); err != nil {
			return err
		}
		grown = append(grown, strings.Clone(name)) // it may retain a whole request
	}
	return nil
}

// LearnName is Learn for one name.
func (d *Dictionary) LearnName(name string, record func(id int, name string) error) error {
	n := d.state.Load()
	if _, known := n.byName[name]; known || len(n.byID) == MaxNames || len(name) > maxNameLength {
		return nil
	}
	return d.Learn(Item{name: nil}, record)
}

func (d *Dictionary) knows(item Item) bool {
	n := d.state.Load()
	if len(n.byID) == MaxNames {
		return true
	}
	for name := range item {
		if _, known := n.byName[name]; !known && len(name) <= maxNameLength {
			return false
		}
	}
	return true
}

// Names returns the known names in the order of their numbers.
func (d *Dictionary) Names() []string {
	return append([]string(nil), d.state.Load().byID...)
}
