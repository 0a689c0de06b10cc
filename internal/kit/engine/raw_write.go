package engine

import (
	"context"
	"slices"
	"sync"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/raw"
)

// WriteAll implements [raw.Store]. It returns when the writes are on disk.
func (e *Engine) WriteAll(ctx context.Context, writes []raw.Write) error {
	effects, err := e.writeRaw(ctx, writes)
	if err == errRefused {
		return cancelled(effects)
	}
	return public(err)
}

// WriteOne implements [raw.Store]. It returns when the write is on disk.
func (e *Engine) WriteOne(ctx context.Context, write raw.Write) error {
	effects, err := e.writeRaw(ctx, []raw.Write{write})
	if err == errRefused {
		err = effects[0].err
	}
	return public(err)
}

func (e *Engine) writeRaw(ctx context.Context, writes []raw.Write) ([]effect, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	if len(writes) == 0 || len(writes) > maxTransaction {
		return nil, invalid("A transaction has 1 to %d actions, not %d", maxTransaction, len(writes))
	}
	effects, wait, err := e.applyRaw(ctx, writes)
	if err != nil {
		return effects, err
	}
	return nil, wait()
}

func (e *Engine) applyRaw(ctx context.Context, writes []raw.Write) ([]effect, func() error, error) {
	r := rawScratches.Get().(*rawScratch)
	defer r.release()
	if err := e.shareShape(); err != nil {
		return nil, nil, err
	}
	defer e.shape.RUnlock()
	if err := e.judgeRaw(r, writes); err != nil {
		return nil, nil, err
	}
	return e.apply(ctx, r.changes, nil)
}

// rawChange is the content of a raw write.
type rawChange struct {
	*raw.Write
	tests []expr.Test
}

// rawScratch is the reusable memory for the changes of one call.
type rawScratch struct {
	all     []change
	raw     []rawChange
	changes []*change
	tests   []expr.Test
	bytes   []byte // stored keys and new items
}

var rawScratches = sync.Pool{New: func() any { return new(rawScratch) }}

func (r *rawScratch) release() {
	if cap(r.bytes) > maxScratch {
		return
	}
	clear(r.all)
	clear(r.raw)
	clear(r.changes)
	clear(r.tests)
	r.bytes = r.bytes[:0]
	rawScratches.Put(r)
}

// open allocates memory for the changes of writes.
func (r *rawScratch) open(writes []raw.Write) {
	n, tests := len(writes), 0
	for i := range writes {
		tests += len(writes[i].Conditions)
	}
	r.all = slices.Grow(r.all[:0], n)[:n]
	r.raw = slices.Grow(r.raw[:0], n)[:n]
	r.changes = slices.Grow(r.changes[:0], n)[:n]
	r.tests = slices.Grow(r.tests[:0], tests)[:tests]
}
