package search

import (
	"context"
	"fmt"
	"sync/atomic"
)

// stateItem says what an index can be trusted with. Without one it cannot be trusted.
type stateItem struct {
	Kind string `dynamo:"kind,keyonly"`
	// Format is that of the rows when they were last all there.
	Format int `dynamo:"format"`
}

// format is how rows are made of documents. It rises when words of the same document
// become other rows, so that older indexes are built anew.
const format = 1

// IncompleteError is the answer of an index that does not hold all documents.
type IncompleteError struct{ Kind string }

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the search index %q is not complete: run `stoa search rebuild`", e.Kind)
}

// state remembers that an index is complete. It never ceases to be.
type state struct{ complete atomic.Bool }

func (f *Finder) demandComplete(ctx context.Context) error {
	if f.state.complete.Load() {
		return nil
	}
	item, err := f.states.Get(ctx, f.db, f.states.Key(f.kind.Name))
	if err != nil {
		return err
	}
	if item == nil || item.Format != format {
		return &IncompleteError{f.kind.Name}
	}
	f.state.complete.Store(true)
	return nil
}

func (f *Finder) markComplete(ctx context.Context) error {
	tx := f.db.NewTx()
	f.states.Put(tx, stateItem{Kind: f.kind.Name, Format: format})
	return tx.Run(ctx)
}

// Adopt makes sure that an index is complete if there is nothing to find yet: empty
// reports whether there is. It fails with an IncompleteError when the index has to be
// built.
func (f *Finder) Adopt(ctx context.Context, empty func(context.Context) (bool, error)) error {
	incomplete := f.demandComplete(ctx)
	if _, ok := incomplete.(*IncompleteError); !ok {
		return incomplete
	}
	nothing, err := empty(ctx)
	switch {
	case err != nil:
		return err
	case !nothing:
		return incomplete
	}
	return f.markComplete(ctx)
}
