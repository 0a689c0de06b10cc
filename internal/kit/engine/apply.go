package engine

import (
	"context"
	"errors"
)

// A write request is a list of changes, at most one per item. apply locks the items, lets
// each change decide on the current item, and commits the results in one atomic batch, for
// tables and indexes together.

// errRefused means that at least one change was refused and nothing was written.
var errRefused = errors.New("engine: a change was refused")

// apply executes changes and returns their effects in order. If the error is errRefused,
// the effects contain the reasons for which changes were refused. The caller must hold
// e.shape for reading. wait waits until the changes are on disk; it must be called once,
// after e.shape has been released. token may be nil; if it was used before, apply changes
// nothing and returns errReplayed.
func (e *Engine) apply(ctx context.Context, changes []*change, token *token) (effects []effect, wait func() error, err error) {
	w := e.newWriter()
	defer w.release()
	for _, c := range changes {
		w.held = append(w.held, c.stripe)
		w.storedKeys = append(w.storedKeys, c.storedKey)
	}
	if token != nil {
		w.held = append(w.held, token.stripe)
	}
	w.held = e.stripes.lock(w.held)
	defer e.stripes.unlock(w.held)
	if err := e.disk.writable(); err != nil {
		return nil, nil, err
	}

	if token != nil {
		if err := e.useToken(w.batch, token); err != nil {
			return nil, nil, err
		}
	}
	if err := e.latest(&w.old, w.storedKeys...); err != nil {
		return nil, nil, err
	}
	effects = make([]effect, len(changes))
	refused := false
	for i, c := range changes {
		if effects[i], err = w.carryOut(i, c); err != nil {
			return nil, nil, err
		}
		refused = refused || effects[i].err != nil
	}
	if refused {
		return effects, nil, errRefused
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	wait, err = w.commit()
	return effects, wait, err
}
