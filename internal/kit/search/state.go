package search

import (
	"context"
	"fmt"
	"sync/atomic"
)

// stateItem is the state of an index. Without one, the index is incomplete.
type stateItem struct {
	Kind string `dynamo:"kind,keyonly"`
	// Format is the format of the rows when they were last complete.
	Format int `dynamo:"format"`
}

// format is the version of the derivation of rows from documents. It is incremented when
// the rows of the same document change, so that older indexes are rebuilt.
const format = 1

// IncompleteError is the error for an index that does not contain all documents.
type IncompleteError struct{ Kind string }

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the search index %q is not complete: run `stoa search rebuild`", e.Kind)
}

// state caches that an index is complete, which never changes.
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

// Adopt marks an index as complete if there is nothing to index yet, as reported by empty.
// It fails with an IncompleteError if the index must be built.
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
