package engine

import (
	"context"
	"errors"
)

// A write request becomes a list of changes, at most one per item. apply locks
// the items, lets each change decide on the item as it is, and commits what
// they decided in one batch: all or nothing, tables and indexes together.

// errRefused says that at least one change was refused and nothing was written.
var errRefused = errors.New("engine: a change was refused")

// apply carries out changes. It returns their effects in order; when the error
// is errRefused the effects tell which changes were refused and why. The
// caller holds e.shape for reading. wait returns when what was applied is on
// disk; it must be called once, after the caller has let go of e.shape. token
// may be nil; when it was used before, the error says so and nothing is done.
func (e *Engine) apply(ctx context.Context, changes []*change, token *token) (effects []effect, wait func() error, err error) {
	w := e.newWriter()
	defer w.release()
	for _, c := range changes {
		w.held = append(w.held, c.stripe)
		w.places = append(w.places, c.place)
	}
	if token != nil {
		w.held = append(w.held, token.stripe)
	}
	w.held = e.stripes.lock(w.held)
	defer e.stripes.unlock(w.held)

	if token != nil {
		if err := e.useToken(w.batch, token); err != nil {
			return nil, nil, err
		}
	}
	if err := e.latest(&w.old, w.places...); err != nil {
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
