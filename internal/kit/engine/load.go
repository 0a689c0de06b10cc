package engine

import (
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// loadTables reads the descriptions of all tables.
func (e *Engine) loadTables() error {
	all := tables{}
	prefix := []byte{spaceTable}
	err := e.each(prefix, func(key, value []byte) error {
		t, err := catalog.Decode(value)
		if err != nil {
			return fmt.Errorf("engine: table %q: %w", key[len(prefix):], err)
		}
		names, err := e.loadNames(t.ID)
		if err != nil {
			return err
		}
		all[t.Name] = newTable(t, names, &e.counts)
		return nil
	})
	e.tables.Store(&all)
	return err
}

// loadNames loads a table's dictionary. Numbers are assigned in order, so loading in order
// restores the numbers of names.
func (e *Engine) loadNames(table keycodec.Relation) (*itemcodec.Dictionary, error) {
	var known []string
	err := e.each(namesPrefix(table), func(_, value []byte) error {
		known = append(known, string(value))
		return nil
	})
	return itemcodec.NewDictionary(known...), err
}

// each calls visit with all entries under prefix, in order.
func (e *Engine) each(prefix []byte, visit func(key, value []byte) error) error {
	return eachIn(e.db, span{lower: prefix, upper: keycodec.After(prefix)}, visit)
}

// eachIn calls visit with all entries of s in from, in ascending order. It stops at the first
// error of visit and returns it.
func eachIn(from pebble.Reader, s span, visit func(key, value []byte) error) error {
	it, err := from.NewIter(&pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper})
	if err != nil {
		return fmt.Errorf("engine: read: %w", err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return fmt.Errorf("engine: read: %w", err)
		}
		if err := visit(it.Key(), value); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("engine: read: %w", err)
	}
	return nil
}

// newNames returns a new dictionary of a table with the names that every item has.
func newNames(t *catalog.Table) *itemcodec.Dictionary {
	names := t.Key.Names()
	for _, x := range t.Indexes {
		for _, name := range x.Key.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return itemcodec.NewDictionary(names...)
}

func recordNames(batch *pebble.Batch, t *table) error {
	for id, name := range t.names.Names() {
		if err := batch.Set(namesKey(t.ID, id), []byte(name), nil); err != nil {
			return fmt.Errorf("engine: write: %w", err)
		}
	}
	return nil
}

// recordName returns the function that a table's dictionary calls for each new name. The
// name is on disk before an item uses its number.
func (e *Engine) recordName(table keycodec.Relation) func(id int, name string) error {
	return func(id int, name string) error {
		if err := e.carry(&nameWrite{e, namesKey(table, id), []byte(name)}); err != nil {
			return fmt.Errorf("engine: write: %w", err)
		}
		return nil
	}
}
